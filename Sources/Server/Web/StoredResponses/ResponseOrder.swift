/// Decides when a stored response may be sent on a connection, so that responses keep the order of their requests. Pure.
struct ResponseOrder {
    /// The requests on the ordinary path whose responses have not ended.
    private var outstanding = 0
    /// Whether the rest of a request on the ordinary path is still to come.
    private var isReceiving = false
    /// Whether the connection closes after what is outstanding.
    private var isOver = false

    /// Whether the next request may be answered at once.
    var isFree: Bool { outstanding == 0 && !isReceiving && !isOver }

    /// - Parameter isLast: Whether the client asks for the connection to be closed.
    mutating func passedHead(isLast: Bool) {
        outstanding += 1
        isReceiving = true
        isOver = isOver || isLast
    }

    mutating func passedEnd() { isReceiving = false }

    /// - Parameter isLast: Whether the response announces the end of the connection.
    mutating func sentHead(isLast: Bool) { isOver = isOver || isLast }

    mutating func sentEnd() { outstanding = max(0, outstanding - 1) }

    /// The connection closes soon, because the server shuts down or an error has occurred.
    mutating func stop() { isOver = true }
}
