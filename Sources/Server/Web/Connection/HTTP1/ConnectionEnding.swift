import FeedCore

/// The way in which a connection of HTTP/1 ends.
enum ConnectionEnding: Equatable {
    case no
    /// The connection closes after the response in progress.
    case afterResponse
    /// The last response has been sent. Further input is discarded, because closing a connection with unread bytes
    /// would reset it, and the client could not read the response.
    case lingering(since: Int64, dropped: Int)
    case over

    /// The bytes that are dropped at most.
    private static let maximumDropped = 1 << 20

    /// Whether nothing that arrives is interpreted any more.
    var dropsInput: Bool {
        switch self {
        case .no, .afterResponse: false
        case .lingering, .over: true
        }
    }

    /// The response in progress, or the next one, is the last.
    mutating func beLast() { if self == .no { self = .afterResponse } }

    /// - Returns: Whether the client sends too much after the last response.
    mutating func drop(_ bytes: Int) -> Bool {
        guard case .lingering(let since, let before) = self else { return false }
        self = .lingering(since: since, dropped: before + bytes)
        return before + bytes > Self.maximumDropped
    }

    /// Whether the time to read the last response has expired.
    func isLate(now: Int64, _ limits: ConnectionLimits) -> Bool {
        if case .lingering(let since, _) = self { now - since >= limits.drain } else { false }
    }
}
