import FeedTestSupport
import Foundation
import Synchronization
import TestKit

/// A connection for byte-exact exchanges of more than one request. It blocks, so it runs on its own thread:
/// ``on(port:_:)``.
final class Wire {
    private let descriptor: Int32
    private var received = Data()
    private var isAtEnd = false

    private init(port: Int) throws {
        descriptor = try RawHTTP.connect(port: port)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        Sockets.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    /// Runs blocking work with a connection on its own thread, and closes the connection afterwards.
    static func on<Value: Sendable>(
        port: Int, _ work: @escaping @Sendable (Wire) throws -> Value
    ) async throws -> Value {
        try await thread { try work(try Wire(port: port)) }
    }

    /// Runs blocking work that opens its own connections.
    static func thread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Opens another connection.
    static func connect(port: Int) throws -> Wire { try Wire(port: port) }

    /// Sends bytes.
    /// - Parameter pieces: The bytes per write; all at once by default.
    /// - Returns: Whether all bytes were written: `false` once the server has closed the connection.
    @discardableResult
    func send(_ bytes: Data, pieces: Int? = nil) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let length = min(pieces ?? buffer.count, buffer.count - sent)
                let count = Glibc.send(descriptor, buffer.baseAddress?.advanced(by: sent), length, Int32(MSG_NOSIGNAL))
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    /// Closes the sending direction.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads the next response, including an interim one (1xx). It must have a Content-Length or no body.
    /// - Returns: `nil` if the server closed the connection before the first byte.
    func response(hasBody: Bool = true) throws -> RawHTTP.Response? {
        let gap = Data("\r\n\r\n".utf8)
        while received.range(of: gap) == nil {
            guard try readMore() else {
                if received.isEmpty { return nil }
                throw WireFailure(text: "closed within the head: \(String(decoding: received, as: UTF8.self))")
            }
        }
        guard let end = received.range(of: gap)?.upperBound else { return nil }
        let head = try RawHTTP.parse(take(end))
        let isBare = head.status < 200 || head.status == 204 || head.status == 304 || !hasBody
        guard !isBare else { return head }
        guard let length = head.headers["content-length"].flatMap({ Int($0) }) else {
            throw WireFailure(text: "\(head.status) without a Content-Length")
        }
        while received.count < length {
            guard try readMore() else { throw WireFailure(text: "closed within the body of a \(head.status)") }
        }
        return try RawHTTP.parse(head.raw + take(length))
    }

    /// Reads at least `count` bytes, unless the connection ends earlier.
    func read(atLeast count: Int) throws -> Data {
        while received.count < count, try readMore() {}
        return take(received.count)
    }

    /// Reads until the server closes the connection.
    func readToEnd() throws -> Data {
        while try readMore() {}
        return take(received.count)
    }

    private func take(_ count: Int) -> Data {
        let taken = Data(received.prefix(count))
        received = Data(received.dropFirst(count))
        return taken
    }

    /// - Returns: `false` at the end of the connection.
    private func readMore() throws -> Bool {
        guard !isAtEnd else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == EAGAIN { throw WireFailure(text: "nothing came for \(Wait.seconds) s") }
        guard count > 0 else {
            isAtEnd = true
            return false
        }
        received.append(contentsOf: chunk[..<count])
        return true
    }
}

struct WireFailure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}

/// Requests on a persistent connection, which is reopened when the server has closed it.
final class KeepAlive {
    private let port: Int
    private var wire: Wire?

    init(port: Int) { self.port = port }

    /// - Throws: ``WireFailure`` if a new connection yields no response.
    func exchange(_ request: Data) throws -> RawHTTP.Response {
        if let wire {
            // A reused connection may have been closed meanwhile.
            if wire.send(request), let response = try? wire.response() { return keep(wire, after: response) }
            self.wire = nil
        }
        let fresh = try Wire.connect(port: port)
        fresh.send(request)
        guard let response = try fresh.response() else { throw WireFailure(text: "closed without a response") }
        return keep(fresh, after: response)
    }

    private func keep(_ used: Wire, after response: RawHTTP.Response) -> RawHTTP.Response {
        wire = response.headers["connection"]?.lowercased() == "close" ? nil : used
        return response
    }
}
