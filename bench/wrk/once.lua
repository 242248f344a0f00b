-- POSTs to each path of the run's file once, the threads taking turns. When the paths have run out the run is stopped
-- and says so, for it measured less than its time.
dofile(os.getenv("BENCH_LUA") .. "/common.lua")

local requests = {}
local taken = 0

function init()
  for i, path in ipairs(lines()) do
    if i % thread_count == thread_number - 1 then requests[#requests + 1] = wrk.format("POST", path, headers()) end
  end
end

function request()
  taken = taken + 1
  if taken >= #requests then
    exhausted = 1
    wrk.thread:stop()
    return requests[#requests]
  end
  return requests[taken]
end
