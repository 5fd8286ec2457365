import FeedTestSupport
import Foundation
import Synchronization

/// A TCP proxy that delivers a number of the server's bytes and holds back the rest until it is resumed. A transfer
/// through it cannot end before its test allows it, however fast or slow the machine is.
final class PausingProxy: Sendable {
    private struct State {
        /// The number of bytes that may still be delivered.
        var allowance: Int
        var isClosed = false
    }

    /// The maximum number of bytes that are forwarded at once.
    private static let block = 64 << 10
    /// The interval in milliseconds at which a connection checks whether it may continue.
    private static let pause: Int32 = 10

    let port: Int
    private let target: Int
    private let listener: Int32
    private let state: Mutex<State>

    var address: String { "http://127.0.0.1:\(port)" }
    /// The number of bytes that may still be delivered.
    var remaining: Int { state.withLock { $0.allowance } }
    /// Whether everything has been delivered that may be.
    var isPausing: Bool { state.withLock { $0.allowance <= 0 } }

    /// Runs a proxy for the duration of `test`.
    /// - Parameters:
    ///   - target: The server's port.
    ///   - bytes: The number of bytes to deliver at first, over all connections, including headers.
    static func serving<Value>(
        _ target: Int, pausingAfter bytes: Int, _ test: (PausingProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try PausingProxy(target, allowance: bytes)
        defer { proxy.close() }
        return try await test(proxy)
    }

    private init(_ target: Int, allowance: Int) throws {
        self.target = target
        state = Mutex(State(allowance: allowance))
        listener = try Sockets.listen()
        port = try Sockets.port(of: listener)
        Thread.detachNewThread { self.accept() }
    }

    /// Delivers this many more bytes.
    func allow(_ bytes: Int) { state.withLock { $0.allowance += bytes } }

    /// Delivers this many bytes from now on, and holds back the rest.
    func hold(after bytes: Int) { state.withLock { $0.allowance = bytes } }

    /// Delivers everything from now on.
    func release() { state.withLock { $0.allowance = .max / 2 } }

    private func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

// MARK: - Connections

extension PausingProxy {
    private func accept() {
        while let client = Sockets.accept(listener) { Thread.detachNewThread { self.relay(client) } }
        Glibc.close(listener)
    }

    /// Forwards bytes in both directions until one side closes.
    private func relay(_ client: FaultConnection) {
        defer { client.close() }
        guard let descriptor = try? RawHTTP.connect(port: target) else { return }
        let server = FaultConnection(descriptor: descriptor)
        defer { server.close() }
        while !state.withLock({ $0.isClosed }) {
            let ready = wait(client, server)
            if ready.client, !forward(from: client, to: server) { return }
            if ready.server, !deliver(from: server, to: client) { return }
        }
    }

    /// Waits briefly for bytes. Those from the server remain unread while nothing may be delivered.
    private func wait(_ client: FaultConnection, _ server: FaultConnection) -> (client: Bool, server: Bool) {
        let mayDeliver = state.withLock { $0.allowance > 0 }
        var entries = [
            pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
            // `poll` ignores a negative descriptor.
            pollfd(fd: mayDeliver ? server.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, Self.pause) > 0 else { return (false, false) }
        return (entries[0].revents != 0, entries[1].revents != 0)
    }

    /// Bytes are counted before the client gets them: it may end at once, and its test reads the count.
    /// - Returns: Whether the connection continues.
    private func deliver(from server: FaultConnection, to client: FaultConnection) -> Bool {
        let bytes = state.withLock { state -> Data? in
            guard state.allowance > 0 else { return nil }
            // Does not wait, because the server's bytes, or its end, have arrived.
            let bytes = Self.receive(min(Self.block, state.allowance), from: server)
            state.allowance -= bytes.count
            return bytes
        }
        // Another connection has used the allowance.
        guard let bytes else { return true }
        return !bytes.isEmpty && client.send(bytes)
    }

    /// - Returns: Whether the connection continues.
    private func forward(from client: FaultConnection, to server: FaultConnection) -> Bool {
        let bytes = Self.receive(Self.block, from: client)
        return !bytes.isEmpty && server.send(bytes)
    }

    /// - Returns: At most this many bytes; none if the other side has closed.
    private static func receive(_ count: Int, from source: FaultConnection) -> Data {
        var block = Data(count: count)
        let received = block.withUnsafeMutableBytes { recv(source.descriptor, $0.baseAddress, $0.count, 0) }
        return block.prefix(max(0, received))
    }
}
