package import NIOCore

/// The body of a request. It is read from the connection only when it is iterated, and can be iterated once.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    private enum Source: Sendable {
        case none
        case bytes(ByteBuffer)
        case stream(RequestBodyStream.Sequence)
    }

    private let source: Source

    /// The body of a request without one.
    package static let none = RequestBody(source: .none)

    private init(source: Source) { self.source = source }

    package init(bytes: ByteBuffer) { source = .bytes(bytes) }

    init(_ stream: RequestBodyStream) { source = .stream(stream.sequence) }

    package func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .none: AsyncIterator(bytes: nil, stream: nil)
        case .bytes(let bytes): AsyncIterator(bytes: bytes, stream: nil)
        case .stream(let stream): AsyncIterator(bytes: nil, stream: stream.makeAsyncIterator())
        }
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: ByteBuffer?
        fileprivate let stream: RequestBodyStream.Sequence.AsyncIterator?

        /// - Throws: `ChannelError` if the client leaves before the end, `HTTPParserError` for a malformed body.
        package mutating func next() async throws -> ByteBuffer? {
            if let stream { return try await stream.next() }
            defer { bytes = nil }
            return bytes
        }
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
