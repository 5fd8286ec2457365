-- wrk: random aligned ranges of 1 MiB. Arguments: the size of the file. Each thread has its own fixed sequence, so every
-- server is asked for the same ranges.
local block = 1048576
local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("seed", threads)
end

function init(arguments)
    math.randomseed(seed)
    blocks = math.floor(tonumber(arguments[1]) / block)
end

function request()
    local first = math.random(0, blocks - 1) * block
    return wrk.format("GET", nil, { Range = "bytes=" .. first .. "-" .. (first + block - 1) })
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format("result %d %d %d %d\n", summary.requests, summary.bytes, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
