import FeedTestSupport

/// ``ChildProcess`` explains why this is not Foundation's `Process`.
typealias Process = ChildProcess
