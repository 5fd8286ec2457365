import FeedTestSupport

/// Not Foundation's; ``ChildProcess`` says why.
typealias Process = ChildProcess
