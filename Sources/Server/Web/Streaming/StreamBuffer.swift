import FeedCore
import NIOCore

/// Buffers the events of a subscriber for its connection, to whose event loop it is confined.
///
/// It exists before the response is sent and keeps the events until then. A subscriber that does not read fast enough is
/// dropped.
final class StreamBuffer {
    let id: UInt64
    private let streams: StreamRegistry
    private let eventLoop: any EventLoop
    private var buffer: StreamQueue<ByteBuffer>
    private var position = KnownPosition()
    private var connection: (any EventChannelHandler)?
    private var end: StreamEnd?
    private var isClosed = false
    private var isFlushed = true
    /// Completed when everything has been written.
    private var drained: EventLoopPromise<Void>?

    init(id: UInt64, streams: StreamRegistry, eventLoop: any EventLoop, buffer: StreamQueue<ByteBuffer>) {
        self.id = id
        self.streams = streams
        self.eventLoop = eventLoop
        self.buffer = buffer
    }

    /// The response head has been sent, and the connection belongs to the stream.
    func open(_ connection: any EventChannelHandler) {
        guard !isClosed else { return }
        self.connection = connection
        streams.timers.timer(of: eventLoop).add(id, connection)
        if let end { connection.finish(end) } else { resume() }
    }

    /// The client has been sent everything up to a position.
    /// - Parameter sent: The sequence number of the last event; `nil` if there was none.
    func begin(at position: ChangePosition, sent: Int64?) {
        if let sent { self.position.recordSent(sent) }
        self.position.begin(at: position)
    }

    /// A position that the client does not know yet and up to which it has been sent everything.
    func nextPosition() -> ChangePosition? {
        guard end == nil, !isClosed, buffer.isEmpty else { return nil }
        return position.next(reached: streams.reached)
    }

    /// Writes an encoded event, or keeps it until the connection takes it. ``flush()`` sends it.
    /// - Parameter sequence: The sequence number of the change; not needed for an event before ``begin(at:sent:)``.
    func receive(_ event: ByteBuffer, of sequence: Int64? = nil) {
        guard end == nil, !isClosed else { return }
        if let sequence { position.recordSent(sequence) }
        if buffer.isEmpty, let connection, connection.isWritable {
            connection.write(event)
            isFlushed = false
        } else if !buffer.append(event, bytes: event.readableBytes) {
            finish(.slow)
        }
    }

    /// Sends the written events together.
    func flush() {
        guard !isFlushed else { return }
        isFlushed = true
        connection?.flush()
    }

    /// Continues when the connection takes further bytes.
    func resume() {
        while let connection, connection.isWritable, let event = buffer.next() {
            connection.write(event)
            isFlushed = false
        }
        flush()
        guard buffer.isEmpty, connection?.isWritable ?? false else { return }
        drained?.succeed()
        drained = nil
    }

    /// Completes when the client has read what was sent. Fails when the stream ends, or after `time`.
    func awaitReader(atMost time: TimeAmount) -> EventLoopFuture<Void> {
        guard end == nil, !isClosed else { return eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
        if buffer.isEmpty, let connection, connection.isWritable { return eventLoop.makeSucceededVoidFuture() }
        let promise = drained ?? eventLoop.makePromise()
        drained = promise
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let limit = eventLoop.scheduleTask(in: time) { bound.value.finish(.slow) }
        promise.futureResult.whenComplete { _ in limit.cancel() }
        return promise.futureResult
    }

    /// Ends the stream for a reason that the client is told.
    func finish(_ end: StreamEnd) {
        guard self.end == nil, !isClosed else { return }
        self.end = end
        buffer.removeAll()
        streams.close(id, end)
        release()
        connection?.finish(end)
    }

    /// The connection is closed, or was never handed over.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        connection = nil
        buffer.removeAll()
        streams.timers.timer(of: eventLoop).remove(id)
        streams.close(id, nil)
        release()
    }

    private func release() {
        drained?.fail(ChannelError.alreadyClosed)
        drained = nil
    }
}

/// The channel handler that owns the connection of a subscriber.
protocol EventChannelHandler: AnyObject {
    /// Whether the connection takes further bytes at once.
    var isWritable: Bool { get }
    /// Sends an encoded event with the next ``flush()``.
    func write(_ event: ByteBuffer)
    func flush()
    /// Tells the client why the stream ends, and closes the connection as soon as the client has read that.
    func finish(_ end: StreamEnd)
    /// Called at regular intervals, see ``StreamHeartbeat``.
    func heartbeat()
}

/// The options of a socket that carries a stream.
enum StreamSocketOptions {
    /// The kernel's buffer for a client that does not read, in bytes. It would otherwise grow to megabytes.
    private static let sendBuffer: Int = 64 * 1024
    /// After how many milliseconds without an acknowledgment the connection is closed. The kernel would wait a quarter
    /// of an hour for a client that has vanished.
    static let timeout: Int = 60_000
    /// `TCP_USER_TIMEOUT` (RFC 5482), which SwiftNIO has no name for.
    static let userTimeout = NIOBSDSocket.Option(rawValue: 18)

    /// Fails on Unix sockets, which need neither.
    /// - Parameter channel: The channel of a connection, or of a stream of HTTP/2.
    static func prepare(_ channel: any Channel) {
        // The parent of a connection is the channel that listens.
        let isStream = channel.parent?.parent != nil
        guard let options = (isStream ? channel.parent : channel)?.syncOptions else { return }
        try? options.setOption(ChannelOptions.tcpOption(userTimeout), value: timeout)
        // The streams of HTTP/2 share a connection with other responses.
        if !isStream { try? options.setOption(ChannelOptions.socketOption(.so_sndbuf), value: sendBuffer) }
    }
}
