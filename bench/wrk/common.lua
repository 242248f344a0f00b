-- What every script shares. The harness hands its parameters over in the environment (see bench/load.py).

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("thread_number", #threads)
  thread:set("thread_count", 2)
end

-- Counters of one thread; `done` runs in a state of its own and reads them through `thread:get`.
checked = 0
wrong = 0
first_wrong = ""
exhausted = 0

function parameter(name)
  local value = os.getenv(name)
  if value == nil then error(name .. " is not set: run this through bench.harness") end
  return value
end

-- The lines of the file that the harness wrote for this run.
function lines()
  local found = {}
  for line in io.lines(parameter("BENCH_LINES")) do found[#found + 1] = line end
  return found
end

function headers(extra)
  local found = { ["X-API-Key"] = parameter("BENCH_KEY") }
  for name, value in pairs(extra or {}) do found[name] = value end
  return found
end

-- Each thread of each run draws numbers of its own.
function seed()
  math.randomseed(tonumber(parameter("BENCH_SEED")) * 64 + thread_number)
end

-- Counts every answer whose status or body is not what the harness expects.
local status = tonumber(parameter("BENCH_STATUS"))
local marks = {}
for mark in parameter("BENCH_MARKS"):gmatch("[^\n]+") do marks[#marks + 1] = mark end

function response(got, _, body)
  checked = checked + 1
  local right = got == status
  for _, mark in ipairs(marks) do
    right = right and body:find(mark, 1, true) ~= nil
  end
  if not right then
    wrong = wrong + 1
    if first_wrong == "" then first_wrong = got .. " " .. body:sub(1, 300) end
  end
end

local function total(name)
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + thread:get(name) end
  return sum
end

local function first_text(name)
  for _, thread in ipairs(threads) do
    local text = thread:get(name)
    if text ~= "" then return text end
  end
  return ""
end

-- One line of numbers for the harness, then the first wrong answer as it came.
function done(summary, latency)
  local errors = summary.errors
  local numbers = {
    { "requests", summary.requests }, { "duration_us", summary.duration }, { "bytes", summary.bytes },
    { "p50_us", latency:percentile(50) }, { "p99_us", latency:percentile(99) },
    { "broken", errors.connect + errors.read + errors.write + errors.timeout },
    { "checked", total("checked") }, { "wrong", total("wrong") }, { "exhausted", total("exhausted") },
  }
  for i, pair in ipairs(numbers) do numbers[i] = string.format('"%s": %d', pair[1], pair[2]) end
  io.write("BENCH {" .. table.concat(numbers, ", ") .. "}\n")
  local text = first_text("first_wrong")
  if text ~= "" then io.write("BENCH_WRONG " .. text:gsub("%c", " ") .. "\n") end
end
