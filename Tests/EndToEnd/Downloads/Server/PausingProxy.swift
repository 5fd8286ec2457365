import FeedTestSupport
import Foundation
import Synchronization

/// A TCP proxy that delivers a number of the server's bytes and holds back the rest until it is resumed. A transfer
/// through it cannot end before its test allows it, however fast or slow the machine is.
final class PausingProxy: Sendable {
    private struct State {
        /// The number of bytes that may still be delivered.
        var allowance: Int
        /// The number of bytes that are just being delivered.
        var underway = 0
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
    var isPausing: Bool { state.withLock { $0.allowance <= 0 && $0.underway == 0 } }

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
            if ready.client, pass(Self.block, from: client, to: server) == 0 { return }
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

    /// - Returns: Whether the connection continues.
    private func deliver(from server: FaultConnection, to client: FaultConnection) -> Bool {
        var block = [UInt8](repeating: 0, count: Self.block)
        // Bytes count before the client can have them, so that a test that has seen their effect knows their number.
        let count = state.withLock { state -> Int? in
            let room = min(Self.block, state.allowance)
            guard room > 0 else { return nil }
            let count = recv(server.descriptor, &block, room, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN { return nil }
            state.allowance -= max(0, count)
            state.underway += max(0, count)
            return count
        }
        // Another connection has used the allowance.
        guard let count else { return true }
        guard count > 0 else { return false }
        defer { state.withLock { $0.underway -= count } }
        return client.send(Data(block.prefix(count)))
    }

    /// - Returns: The number of forwarded bytes; 0 if one side has closed.
    private func pass(_ count: Int, from source: FaultConnection, to target: FaultConnection) -> Int {
        var block = Data(count: count)
        let received = block.withUnsafeMutableBytes { recv(source.descriptor, $0.baseAddress, $0.count, 0) }
        return received > 0 && target.send(block.prefix(received)) ? received : 0
    }
}
