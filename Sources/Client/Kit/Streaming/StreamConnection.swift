/// An event as it arrives on a connection of any kind.
struct StreamMessage: Equatable, Sendable {
    /// `update`, `delete`, `notification` and others.
    var type: String
    /// JSON, or the id of a deleted status.
    var payload: String
    /// The position after this event, if the server sent one.
    var position: String?
}

/// A connection on which events arrive. It is closed when it is released.
protocol StreamConnection {
    /// The position after the last event, from which the stream can be resumed.
    var position: String? { get }
    /// How long the server wants clients to wait before they reconnect, in milliseconds.
    var reconnectionTime: Int? { get }

    /// The next event; `nil` when the server has closed the connection.
    /// - Throws: ``FeedClientError``, `CancellationError`.
    mutating func next() async throws -> StreamMessage?
}
