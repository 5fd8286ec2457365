import FeedTestSupport
import Foundation
import Synchronization
import TestKit

/// A connection on which a test decides when to write, to read and to leave.
final class RawConnection: Sendable {
    private let descriptor: Mutex<Int32?>

    /// - Parameter receiveBuffer: The size in bytes of the kernel's buffer for unread bytes; `nil` for the default.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        let socket = Sockets.make()
        descriptor = Mutex(socket)
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        Sockets.limitWaiting(socket)
        try Sockets.connect(socket, port: port)
    }

    deinit { close() }

    private var open: Int32 { descriptor.withLock { $0 } ?? -1 }

    func close() {
        descriptor.withLock {
            if let open = $0 { Glibc.close(open) }
            $0 = nil
        }
    }

    /// Resets the connection, which the server can distinguish from the end of the input.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(open, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Sends no more, but still reads.
    func finishSending() { shutdown(open, Int32(SHUT_WR)) }

    /// - Returns: The number of bytes that were sent before the server closed the connection.
    @discardableResult
    func write(_ text: String) async throws -> Int { try await write(Data(text.utf8)) }

    @discardableResult
    func write(_ bytes: Data) async throws -> Int {
        try await onThread { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { [sent] buffer in
                    Glibc.send(
                        descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EAGAIN { throw SocketFailure(code: EAGAIN) }
                if count <= 0 { return sent }
                sent += count
            }
            return sent
        }
    }

    /// Reads until the bytes received since the last call end with `end`.
    func read(until end: String) async throws -> String {
        try await onThread { descriptor in
            var received = Data()
            while !received.suffix(end.utf8.count).elementsEqual(end.utf8) {
                guard try Self.receive(&received, descriptor) else { throw SocketFailure(code: ECONNRESET) }
            }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Reads until the server closes the connection.
    func readToEnd() async throws -> Data {
        try await onThread { descriptor in
            var received = Data()
            while try Self.receive(&received, descriptor) {}
            return received
        }
    }

    /// All responses until the server closes the connection, which have a length.
    func responses() async throws -> [RawHTTP.Response] {
        var rest = try await readToEnd()
        var found: [RawHTTP.Response] = []
        while !rest.isEmpty {
            let response = try RawHTTP.parse(rest)
            let length = response.headers["content-length"].flatMap { Int($0) } ?? 0
            let total = rest.count - response.body.count + length
            found.append(try RawHTTP.parse(Data(rest.prefix(total))))
            rest = Data(rest.dropFirst(total))
        }
        return found
    }

    /// - Returns: Whether the connection is still open.
    private static func receive(_ received: inout Data, _ descriptor: Int32) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == EAGAIN { throw SocketFailure(code: EAGAIN) }
        if count > 0 { received.append(contentsOf: chunk[..<count]) }
        return count > 0
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (Int32) throws -> Value
    ) async throws -> Value {
        let descriptor = open
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body(descriptor) }) }
        }
    }
}
