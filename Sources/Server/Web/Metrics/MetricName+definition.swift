import FeedCore

extension MetricName {
    enum Kind: Sendable, Equatable {
        case counter, gauge
        /// - Parameter bounds: The upper bounds of the buckets, ascending; a last bucket holds all larger values.
        case histogram(bounds: [Double])
    }

    var kind: Kind {
        switch self {
        case .requests, .cacheRequests, .abortedResponses, .failedLogins, .droppedLogLines, .droppedStreams:
            .counter
        case .requestDuration, .commitDuration, .commitSync: .histogram(bounds: Self.seconds)
        case .commitJobs: .histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
        default: .gauge
        }
    }

    /// From half a millisecond to ten seconds.
    private static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    var help: String {
        switch self {
        case .requests: "Requests by route, method and class of status."
        case .requestDuration: "Time from a request's head to its response's head, by group of routes."
        case .connections: "Open client connections."
        case .cacheRequests: "Lookups in a cache, by cache and result."
        case .abortedResponses: "Responses that could not be completed."
        case .commitJobs: "Writes per transaction."
        case .commitDuration: "Time of a transaction, including the wait for the write lock."
        case .commitSync: "Time of the commit at the end of a transaction, including the fsync."
        case .commitQueue: "Writes waiting for the next transaction."
        case .passwordQueue: "Password hashes being computed or waiting."
        case .failedLogins: "Failed logins, by reason."
        case .droppedLogLines: "Log lines that were dropped because standard error did not accept them."
        case .streams: "Open streams of events."
        case .droppedStreams: "Streams that the server has ended, by reason."
        case .logPosition: "The newest known sequence number of the change log."
        case .logLag: "Known changes to which the server has not reacted yet."
        case .anonymousMemory: "Memory that is not backed by files (RssAnon)."
        case .openFiles: "Open file descriptors."
        case .maximumFiles: "The limit on open file descriptors."
        case .startTime: "Start of the process, in seconds since 1970."
        case .build: "The version of feedserver and its database engine; always 1."
        }
    }
}
