import DequeModule

/// The metrics of a server, with their names in Prometheus.
package enum MetricName: String, CaseIterable, Sendable {
    case requests = "feedserver_http_requests_total"
    case requestDuration = "feedserver_http_request_duration_seconds"
    case connections = "feedserver_http_connections"
    case cacheRequests = "feedserver_cache_requests_total"
    case abortedResponses = "feedserver_aborted_responses_total"
    case commitJobs = "feedserver_commit_jobs"
    case commitDuration = "feedserver_commit_duration_seconds"
    case commitSync = "feedserver_commit_sync_seconds"
    case commitQueue = "feedserver_commit_queue"
    case passwordQueue = "feedserver_password_queue"
    case failedLogins = "feedserver_failed_logins_total"
    case droppedLogLines = "feedserver_dropped_log_lines_total"
    case streams = "feedserver_streams"
    case droppedStreams = "feedserver_streams_dropped_total"
    case logPosition = "feedserver_change_log_position"
    case logLag = "feedserver_change_log_lag"
    case anonymousMemory = "feedserver_memory_anonymous_bytes"
    case openFiles = "process_open_fds"
    case maximumFiles = "process_max_fds"
    case startTime = "process_start_time_seconds"
    case build = "feedserver_build_info"
}

/// The average rate of a counter over the last minute, from samples of its value.
package struct EventRate: Sendable {
    /// The length of the window in milliseconds.
    private static let window: Int64 = 60_000
    private static let maximumSamples = 64

    private var samples: Deque<(time: Int64, count: Int64)>

    /// - Parameter now: Milliseconds of a monotonic clock, as for all other functions.
    package init(now: Int64, count: Int64 = 0) { samples = [(now, count)] }

    package mutating func add(_ count: Int64, now: Int64) {
        samples.append((now, count))
        // The newest sample that is older than the window is the start of the average.
        while samples.count > 2, samples[1].time <= now - Self.window || samples.count > Self.maximumSamples {
            samples.removeFirst()
        }
    }

    /// Events per second since the start of the window.
    package func rate(_ count: Int64, now: Int64) -> Double {
        guard let first = samples.first, now > first.time else { return 0 }
        return Double(max(0, count - first.count)) * 1000 / Double(now - first.time)
    }
}
