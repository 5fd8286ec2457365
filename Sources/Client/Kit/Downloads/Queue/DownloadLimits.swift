/// The limits of a ``DownloadQueue``.
public struct DownloadLimits: Sendable {
    /// The maximum number of downloads that run at the same time.
    public var running: Int
    /// The maximum number of downloads from one host that run at the same time.
    public var perHost: Int
    /// The maximum number of downloads that have not ended, including paused ones.
    public var unfinished: Int

    public init(running: Int = 4, perHost: Int = 2, unfinished: Int = 1000) {
        (self.running, self.perHost, self.unfinished) = (max(1, running), max(1, perHost), max(1, unfinished))
    }
}
