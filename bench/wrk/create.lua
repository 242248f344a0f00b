-- Creates drafts. A line of the run's file is an article's content as a JSON string; title and content get a mark
-- that no other request of any thread or run has, so that no two bodies are the same.
dofile(os.getenv("BENCH_LUA") .. "/common.lua")

local contents
local made = 0
local run

function init()
  seed()
  run = parameter("BENCH_SEED")
  contents = lines()
end

function request()
  made = made + 1
  local mark = run .. "-" .. thread_number .. "-" .. made
  local content = contents[math.random(#contents)]
  local body = '{"title":"A measured draft, number ' .. mark .. '","content":"<p>Draft ' .. mark .. ".</p>" .. content:sub(2) .. "}"
  return wrk.format("POST", "/api/v1/posts", headers({ ["Content-Type"] = "application/json" }), body)
end
