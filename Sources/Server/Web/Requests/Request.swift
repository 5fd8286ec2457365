import FeedAPI
package import HTTPTypes
package import NIOCore

/// A request, of either version of HTTP.
package struct Request: Sendable {
    package let method: HTTPRequest.Method
    package var uri: RequestTarget
    /// The value of Host, or the authority of HTTP/2; `nil` only for HTTP/1.0 and older.
    package let host: String?
    /// Whether the client uses TLS, to its proxy if there is one.
    package var isSecure: Bool
    package let headers: RequestHeaders
    package let body: RequestBody

    package init(
        method: HTTPRequest.Method, target: String, host: String?, isSecure: Bool, headers: RequestHeaders,
        body: RequestBody = .none
    ) {
        self.method = method
        uri = RequestTarget(target)
        self.host = host
        self.isSecure = isSecure
        self.headers = headers
        self.body = body
    }

    /// Whether the request only reads (RFC 9110 §9.2.1).
    var isRead: Bool { method == .get || method == .head }
}

/// The target of a request in origin form: a path and a query (RFC 9112 §3.2.1).
package struct RequestTarget: Sendable {
    package let string: String
    package let path: String
    /// The query, after the first `?`; `nil` without one.
    package let query: String?

    package init(_ string: String) {
        self.string = string
        guard let mark = string.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            (path, query) = (string, nil)
            return
        }
        path = String(string[..<mark])
        query = String(string[string.utf8.index(after: mark)...])
    }

    /// The same query at another path.
    func at(path: String) -> RequestTarget { RequestTarget(path + (query.map { "?" + $0 } ?? "")) }
}

/// The body of a request. It is read from the connection only when it is iterated, and can be iterated once.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    /// The body of a request without one.
    package static let none = RequestBody(sequence: nil)

    private let sequence: RequestBodyStream.Sequence?

    private init(sequence: RequestBodyStream.Sequence?) { self.sequence = sequence }

    init(_ stream: RequestBodyStream) { self.init(sequence: stream.sequence) }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: sequence?.makeAsyncIterator()) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: RequestBodyStream.Sequence.AsyncIterator?

        /// - Throws: `ChannelError` if the client leaves before the end, `HTTPParserError` for a malformed body.
        package mutating func next() async throws -> ByteBuffer? { try await pieces?.next() }
    }
}

/// Passes the pieces of a body from the handler of a connection to the task that reads it.
final class RequestBodyStream: Sendable {
    typealias Sequence = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Demand
    >

    /// Asks the connection for more.
    struct Demand: NIOAsyncSequenceProducerDelegate {
        let read: @Sendable () -> Void

        func produceMore() { read() }
        func didTerminate() {}
    }

    let sequence: Sequence
    private let source: Sequence.Source

    /// - Parameter read: Called on any thread when the task has taken all pieces.
    init(read: @escaping @Sendable () -> Void) {
        let new = Sequence.makeSequence(
            elementType: ByteBuffer.self, failureType: (any Error).self,
            backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1), finishOnDeinit: true,
            delegate: Demand(read: read))
        (sequence, source) = (new.sequence, new.source)
    }

    /// - Returns: Whether the task waits for the next piece.
    func yield(_ bytes: ByteBuffer) -> Bool {
        if case .produceMore = source.yield(bytes) { true } else { false }
    }

    /// The body is complete.
    func finish() { source.finish() }

    /// The rest of the body will not arrive.
    func fail(_ error: any Error) { source.finish(error) }
}

/// The reason why a request is rejected whose head violates the rules of HTTP. A connection of HTTP/1 closes after the
/// response, since the body's length cannot be trusted.
struct HeadRefusal: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String
}

extension Response {
    init(_ refusal: HeadRefusal) {
        var json = JSONWriter(capacity: 128)
        json.object { $0.field("error", refusal.message) }
        self.init(json: json, status: refusal.status)
    }
}

extension Request {
    /// A request whose head is refused, for the log. A hyphen takes the place of what is missing or malformed.
    init(refused method: String?, target: String?, headers: RequestHeaders, isSecure: Bool) {
        self.init(
            method: method.flatMap { HTTPRequest.Method($0) } ?? HTTPRequest.Method("-") ?? .get,
            target: target ?? "-", host: nil, isSecure: isSecure, headers: headers)
    }
}
