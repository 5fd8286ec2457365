/// Tells whether bytes that arrived together were exactly one request. Pure.
struct RequestBoundary {
    /// Whether the decoder waits for the first byte of a request.
    private(set) var isBetweenRequests = true
    private var beganBetweenRequests = true
    private var isComplete = false
    private var heads = 0

    /// The decoder is about to get bytes.
    mutating func begin() { (beganBetweenRequests, isComplete, heads) = (isBetweenRequests, false, 0) }

    mutating func decodedHead() { (isComplete, heads) = (false, heads + 1) }

    mutating func decodedBody() { isComplete = false }

    mutating func decodedEnd() { isComplete = true }

    /// The decoder has decoded what it can of the bytes.
    /// - Parameter endsInEmptyLine: Whether the bytes do. Then nothing of a next request is left in the decoder, because
    ///   an empty line would have completed its head.
    /// - Returns: Whether the bytes were one request.
    mutating func end(endsInEmptyLine: Bool) -> Bool {
        isBetweenRequests = isComplete && endsInEmptyLine
        return isBetweenRequests && beganBetweenRequests && heads == 1
    }
}
