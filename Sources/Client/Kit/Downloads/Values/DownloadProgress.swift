/// How far a download is.
public struct DownloadProgress: Sendable {
    /// Bytes that are there.
    public internal(set) var done: Int64 = 0
    /// Bytes in all, once known.
    public internal(set) var total: Int64?
    /// Bytes that were there before.
    public internal(set) var base: Int64 = 0
    /// Bytes per second over the last seconds; `nil` at first.
    public internal(set) var rate: Double?
    /// Connections that are open.
    public internal(set) var connections = 0
    /// Times a connection was taken up again.
    public internal(set) var retries = 0
    /// Seconds until the next try, while nothing is fetched.
    public internal(set) var wait: Double?
    /// What a person should know, in the order it happened; at most ``maximumNotices``.
    public internal(set) var notices: [String] = []

    static let maximumNotices = 20

    mutating func note(_ words: String) {
        if notices.count < Self.maximumNotices, notices.last != words { notices.append(words) }
    }
}
