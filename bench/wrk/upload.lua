-- Uploads images. A line of the run's file is an image in hex; the alternative text gets a mark that no other request of
-- any thread or run has, so that no two forms are the same.
dofile(os.getenv("BENCH_LUA") .. "/common.lua")

local boundary = "a-boundary-that-no-image-holds-7f3a9c"
local images = {}
local made = 0
local run

function init()
  run = parameter("BENCH_SEED")
  for number, line in ipairs(lines()) do
    images[number] = line:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end)
  end
end

local function part(name, content)
  return "--" .. boundary .. '\r\nContent-Disposition: form-data; name="' .. name .. '"\r\n\r\n' .. content .. "\r\n"
end

function request()
  made = made + 1
  local alt = part("alt", "Upload " .. run .. "-" .. thread_number .. "-" .. made)
  local body = alt .. part('file"; filename="photograph.jpg', images[made % #images + 1]) .. "--" .. boundary .. "--\r\n"
  return wrk.format("POST", "/api/v1/media", headers({ ["Content-Type"] = "multipart/form-data; boundary=" .. boundary }), body)
end
