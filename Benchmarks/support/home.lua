-- Reads home pages that begin at random statuses, so that hardly one is cached.
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
local newest = tonumber(os.getenv("NEWEST"))
local span = tonumber(os.getenv("SPAN"))
function init(args) math.randomseed(os.time() + tonumber(tostring({}):sub(8))) end
function request()
  local id = string.format("%.0f", newest - math.random() * span)
  return wrk.format("GET", "/api/v1/timelines/home?limit=20&max_id=" .. id)
end
