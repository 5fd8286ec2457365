/// The progress of a download.
public struct DownloadProgress: Sendable {
    /// The number of downloaded bytes, including those of an earlier, interrupted download.
    public internal(set) var done: Int64 = 0
    /// The size of the file in bytes, once it is known.
    public internal(set) var total: Int64?
    /// The number of bytes from an earlier, interrupted download.
    public internal(set) var base: Int64 = 0
    /// The rate over the last seconds in bytes per second; `nil` at first.
    public internal(set) var rate: Double?
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of retries so far.
    public internal(set) var retries = 0
    /// The time in seconds until the next attempt, if no connection is open.
    public internal(set) var wait: Double?
    /// Messages for the user, in the order in which they occurred; at most 20.
    public internal(set) var notices: [String] = []

    static let maximumNotices = 20

    mutating func notice(_ text: String) {
        if notices.count < Self.maximumNotices, notices.last != text { notices.append(text) }
    }
}
