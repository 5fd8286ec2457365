import FeedCore
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The state of a connection of HTTP/1: the request in progress, the limits, and how the connection ends. A pure state
/// machine; ``HTTP1Handler`` reads and writes.
struct HTTP1ConnectionState {
    private let limits: ConnectionLimits
    var timer: ConnectionTimeouts
    var ending = ConnectionEnding.no
    /// `nil` between requests.
    var exchange: HTTP1Exchange?
    var input = HTTP1Input()
    /// Whether a stream has taken the connection over.
    var isTaken = false

    /// - Parameter now: Milliseconds of a monotonic clock.
    init(limits: ConnectionLimits, now: Int64) {
        self.limits = limits
        timer = ConnectionTimeouts(limits: limits, now: now)
    }

    /// The bytes to read next.
    /// - Parameter isWritable: Whether the client reads its responses; otherwise, no further request is answered.
    func demand(isWritable: Bool) -> InputDemand {
        if isTaken || ending.dropsInput { return .discard }
        if timer.isDraining { return input.rest }
        if input.awaitsEnd { return .head }
        guard exchange == nil else { return timer.hasBodyLeft && input.wantsBody ? input.rest : .none }
        return ending == .no && isWritable ? .head : .none
    }

    /// Whether the connection closes after a response to the request in progress. After a refusal, the rest of the body is
    /// dropped for a limited time only, so the connection cannot be reused.
    func isLast(_ response: Response, _ framing: HTTP1ResponseFraming) -> Bool {
        guard let exchange else { return true }
        return exchange.isLast || framing == .close || timer.isLastResponse
            || timer.hasBodyLeft && (response.status.code >= 400 || exchange.expectsContinue)
    }

    mutating func forgetRequest() {
        exchange = nil
        input.forget()
    }

    /// The server stops: the response in progress is the last.
    /// - Parameter buffered: Bytes written that the kernel has not taken.
    /// - Returns: Whether the connection can be closed at once.
    mutating func quiesce(buffered: Int) -> Bool {
        ending.beLast()
        return exchange == nil && !timer.isDraining && buffered == 0
    }

    /// Checks the limits of time.
    /// - Parameters:
    ///   - buffered: Bytes written that the kernel has not taken.
    ///   - acknowledged: Bytes that the client has acknowledged, if the kernel knows.
    ///   - isReading: Whether bytes of the client are awaited.
    /// - Returns: Whether the connection must close.
    mutating func tick(now: Int64, buffered: Int, acknowledged: Int64?, isReading: Bool) -> Bool {
        let isDone = ending == .afterResponse && !timer.isBusy && !timer.isDraining && buffered == 0
        if isDone || ending.isLate(now: now, limits) { return true }
        let isWaiting = isReading && (exchange == nil || input.awaitsEnd || input.isWanted)
        return timer.tick(now: now, buffered: buffered, acknowledged: acknowledged, isWaiting: isWaiting)
    }
}

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

/// The part that has arrived of the request in progress on a connection of HTTP/1: the head of a request without a body, which
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
    /// - Parameter body: `nil` for a request without a body.
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
