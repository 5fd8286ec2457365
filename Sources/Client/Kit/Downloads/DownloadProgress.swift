/// The progress of a download.
public struct DownloadProgress: Sendable {
    /// Bytes that have been downloaded, including those of an earlier, interrupted download.
    public internal(set) var done: Int64 = 0
    /// The size of the file in bytes, once it is known.
    public internal(set) var total: Int64?
    /// Bytes of an earlier, interrupted download.
    public internal(set) var base: Int64 = 0
    /// The rate over the last seconds in bytes per second; `nil` at first.
    public internal(set) var rate: Double?
    /// The number of open connections.
    public internal(set) var connections = 0
    /// How often a connection has been retried.
    public internal(set) var retries = 0
    /// Seconds until the next attempt, while no connection is open.
    public internal(set) var wait: Double?
    /// Messages for the user, in the order in which they occurred; at most 20.
    public internal(set) var notices: [String] = []

    static let maximumNotices = 20

    mutating func notice(_ text: String) {
        if notices.count < Self.maximumNotices, notices.last != text { notices.append(text) }
    }
}
