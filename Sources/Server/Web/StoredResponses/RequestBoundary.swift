/// Tells whether bytes that arrived together were exactly one request. Pure.
struct RequestBoundary {
    /// Whether the decoder waits for the first byte of a request.
    private(set) var isBetweenRequests = true
    private var beganBetweenRequests = true
    private var isComplete = false
    private var heads = 0
    /// Whether nothing that arrives from now on is certainly a request.
    private var isOver = false

    /// The decoder is about to get bytes.
    mutating func begin() {
        (beganBetweenRequests, isBetweenRequests, isComplete, heads) = (isBetweenRequests, false, false, 0)
    }

    /// - Parameter isLast: Whether the decoder may treat what follows in another way: after a head that asks for another
    ///   protocol, or for the end of the connection.
    mutating func decodedHead(isLast: Bool) {
        (isComplete, heads) = (false, heads + 1)
        if isLast { stop() }
    }

    mutating func decodedBody() { isComplete = false }

    mutating func decodedEnd() { isComplete = true }

    /// The decoder has failed.
    mutating func stop() { isOver = true }

    /// The decoder has decoded what it can of the bytes.
    /// - Parameter endsInEmptyLine: Whether the bytes do. Then nothing of a next request is left in the decoder, because
    ///   an empty line would have completed its head.
    /// - Returns: Whether the bytes were one request.
    mutating func end(endsInEmptyLine: Bool) -> Bool {
        isBetweenRequests = isComplete && endsInEmptyLine && !isOver
        return isBetweenRequests && beganBetweenRequests && heads == 1
    }
}
