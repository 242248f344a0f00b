-- GETs one of the paths of the run's file, at random.
dofile(os.getenv("BENCH_LUA") .. "/common.lua")

local requests = {}

function init()
  seed()
  for i, path in ipairs(lines()) do requests[i] = wrk.format("GET", path, headers()) end
end

function request()
  return requests[math.random(#requests)]
end
