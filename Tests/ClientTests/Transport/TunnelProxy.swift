import FeedTestSupport
import Foundation
import Synchronization

/// A proxy that understands HTTP CONNECT and SOCKS 5, and connects everyone to one port of this machine.
final class TunnelProxy: Sendable {
    private struct State {
        var targets: [String] = []
        var heads: [String] = []
        var isRefusing = false
    }

    let port: Int
    private let destination: Int
    private let listener: Int32
    private let state = Mutex(State())

    /// The servers to which clients wanted to be connected, such as `feed.invalid:80`.
    var targets: [String] { state.withLock { $0.targets } }
    /// The requests of clients that use HTTP.
    var heads: [String] { state.withLock { $0.heads } }

    /// Runs a proxy for the duration of `test`.
    /// - Parameter destination: The port to which connections lead; `nil` to refuse them.
    static func serving<Value>(
        to destination: Int?, _ test: (TunnelProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try TunnelProxy(destination ?? 0)
        proxy.state.withLock { $0.isRefusing = destination == nil }
        defer { shutdown(proxy.listener, Int32(SHUT_RDWR)) }
        return try await test(proxy)
    }

    private init(_ destination: Int) throws {
        self.destination = destination
        listener = Sockets.make()
        try Sockets.bind(listener)
        guard listen(listener, 16) == 0 else { throw SocketFailure(code: errno) }
        port = try Sockets.port(of: listener)
        Thread.detachNewThread { self.acceptAll() }
    }

    private func acceptAll() {
        while case let client = accept(listener, nil, nil), client >= 0 {
            Thread.detachNewThread {
                self.serve(client)
                close(client)
            }
        }
        close(listener)
    }

    private func serve(_ client: Int32) {
        let isRefusing = state.withLock { $0.isRefusing }
        guard let first = Self.read(1, client)?.first else { return }
        let answers = first == 5 ? greet(client, isRefusing) : readHead(first, client, isRefusing)
        guard let answers, Self.send(answers, client), !isRefusing else { return }
        let server = Sockets.make()
        defer { close(server) }
        guard (try? Sockets.connect(server, port: destination)) != nil else { return }
        Self.relay(client, server)
    }

    /// - Returns: The answer to a request of SOCKS 5 for a name (RFC 1928).
    private func greet(_ client: Int32, _ isRefusing: Bool) -> [UInt8]? {
        guard let count = Self.read(1, client)?.first, Self.read(Int(count), client) != nil,
            Self.send([5, 0], client), let request = Self.read(5, client), request[3] == 3,
            let name = Self.read(Int(request[4]), client), let port = Self.read(2, client)
        else { return nil }
        record(String(decoding: name, as: UTF8.self) + ":\(Int(port[0]) << 8 | Int(port[1]))")
        return [5, isRefusing ? 2 : 0, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    /// - Returns: The answer to a CONNECT request.
    private func readHead(_ first: UInt8, _ client: Int32, _ isRefusing: Bool) -> [UInt8]? {
        var head = [first]
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = Self.read(1, client) else { return nil }
            head += byte
        }
        let text = String(decoding: head, as: UTF8.self)
        let words = text.split(separator: " ")
        guard words.first == "CONNECT", words.count > 2 else { return nil }
        record(String(words[1]))
        state.withLock { $0.heads.append(text) }
        return Array((isRefusing ? "HTTP/1.1 403 Forbidden" : "HTTP/1.1 200 OK").utf8) + "\r\n\r\n".utf8
    }

    private func record(_ target: String) { state.withLock { $0.targets.append(target) } }

    // MARK: Bytes

    private static func read(_ count: Int, _ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            guard received > 0 else { return nil }
            filled += received
        }
        return bytes
    }

    private static func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Forwards bytes in both directions until one side closes.
    private static func relay(_ one: Int32, _ other: Int32) {
        while true {
            var entries = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, 2, -1) > 0 else { return }
            if entries[0].revents != 0, !pass(one, other) { return }
            if entries[1].revents != 0, !pass(other, one) { return }
        }
    }

    private static func pass(_ source: Int32, _ target: Int32) -> Bool {
        var block = [UInt8](repeating: 0, count: 16 << 10)
        let count = block.withUnsafeMutableBytes { recv(source, $0.baseAddress, $0.count, 0) }
        return count > 0 && send(Array(block.prefix(count)), target)
    }
}
