import NIOCore
import NIOHTTP1

/// What has arrived of the request in progress on a connection of HTTP/1: the head of a request without a body, which
/// waits for its end, or the body of another one, which a task reads while it arrives.
struct HTTP1Input {
    private var head: HTTPRequestHead?
    private var body: RequestBodyStream?
    /// The bytes that have not arrived of a body with a known length; `nil` for a chunked one.
    private var left: Int?
    /// Whether a task waits for a part of the body.
    private(set) var isWanted = false

    /// Whether the end of a request without a body has not arrived.
    var awaitsEnd: Bool { head != nil }

    /// Whether a task waits for the body, and the whole of it has not arrived.
    var wantsBody: Bool { isWanted && body != nil }

    /// The rest of the body, which may be read or discarded.
    var rest: InputDemand { .body(left: left) }

    /// A request begins.
    /// - Parameter body: `nil` if it has none.
    mutating func begin(_ head: HTTPRequestHead, _ exchange: HTTP1Exchange, _ body: RequestBodyStream?) {
        (self.head, self.body) = body == nil ? (head, nil) : (nil, body)
        (left, isWanted) = (exchange.bodyLength, false)
    }

    /// A task waits for the body.
    mutating func want() { isWanted = true }

    /// Counts bytes of the body.
    mutating func count(_ bytes: Int) { left = left.map { max(0, $0 - bytes) } }

    /// Passes bytes of the body to the task.
    mutating func pass(_ bytes: ByteBuffer) { if let body { isWanted = body.yield(bytes) } }

    /// The request is complete.
    /// - Returns: The head of a request without a body.
    mutating func end() -> HTTPRequestHead? {
        body?.finish()
        defer { forget() }
        return head
    }

    /// The rest of the body will not arrive.
    /// - Returns: Whether there is a body that is not complete.
    @discardableResult
    func fail(_ error: any Error) -> Bool {
        body?.fail(error)
        return body != nil
    }

    /// The request is over.
    mutating func forget() { (head, body) = (nil, nil) }
}
