/// How much a ``TimelineStore`` keeps. The least recently fetched statuses are removed first.
public struct StoreLimits: Sendable {
    /// The maximum number of statuses of an account.
    public var statuses = 100_000
    /// How long a status is kept after it was last fetched, in days.
    public var days = 180
    /// The maximum size of all accounts together, in bytes.
    public var bytes: Int64 = 256 << 20

    public init() {}
}
