import NIOCore

/// How a stream takes over the connection of its request once the head of the response has been written.
package struct StreamTakeover: Sendable {
    /// Whether the handlers of HTTP leave the pipeline, so that those of the stream get the bytes of the connection, also
    /// what the client has already sent (WebSocket). Otherwise they write ``ResponsePart/body(_:)`` and
    /// ``ResponsePart/end``, and receive nothing but events of the channel.
    let replacesHTTP: Bool
    /// Adds the handlers of the stream at the end of the pipeline, on the event loop. The handler that has written the
    /// head calls it, and forgets the request.
    let begin: @Sendable (any Channel) throws -> Void
}
