-- wrk: the requests of a file in turn, as fast as the connections allow. Arguments: the file, whose lines are a path
-- and a token or "-"; then, for posts, the body. Environment: ETAG for If-None-Match, RANGE for Range. Prints "result
-- REQUESTS MICROSECONDS BYTES ERRORS P50 P99", the last two in microseconds.
local requests, number = {}, 0

function init(arguments)
    wrk.body = arguments[2]
    if wrk.body then
        wrk.method = "POST"
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    end
    wrk.headers["If-None-Match"] = os.getenv("ETAG")
    wrk.headers["Range"] = os.getenv("RANGE")
    for line in io.lines(arguments[1]) do
        local path, token = line:match("^(%S+) (%S+)$")
        wrk.path = path
        wrk.headers["Authorization"] = token ~= "-" and "Bearer " .. token or nil
        requests[#requests + 1] = wrk.format()
    end
    -- wrk prepares a single request once, if there is no such function.
    if #requests > 1 then
        function request()
            number = number % #requests + 1
            return requests[number]
        end
    end
end

function done(summary, latency, _)
    local errors = summary.errors
    io.write(string.format("result %d %d %d %d %d %d\n", summary.requests, summary.duration, summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
end
