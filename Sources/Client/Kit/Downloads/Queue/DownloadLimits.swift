/// How much a queue does at once.
public struct DownloadLimits: Sendable {
    /// Downloads that run.
    public var running: Int
    /// Downloads that run from one host.
    public var perHost: Int
    /// Downloads that are not at their end, paused ones too.
    public var unfinished: Int

    public init(running: Int = 4, perHost: Int = 2, unfinished: Int = 1000) {
        (self.running, self.perHost, self.unfinished) = (max(1, running), max(1, perHost), max(1, unfinished))
    }
}

/// Which download comes first.
public enum DownloadPriority: Int, Sendable, Comparable, CaseIterable {
    case low, normal, high

    public static func < (left: DownloadPriority, right: DownloadPriority) -> Bool { left.rawValue < right.rawValue }
}
