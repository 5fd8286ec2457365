import FeedTestSupport
import Foundation

/// A client's connection, read and written by one thread.
struct FaultConnection: Sendable {
    /// The maximum size of a request header in bytes.
    private static let longestHead = 64 << 10
    /// Linux's `POLLRDHUP`: the peer has closed its side. Swift does not import the macro.
    private static let hangUp: Int16 = 0x2000

    let descriptor: Int32

    /// The lines of a request header, without the empty line; `nil` if the client has disconnected.
    func readHead() -> String? {
        var bytes: [UInt8] = []
        var one: UInt8 = 0
        while bytes.count < Self.longestHead, recv(descriptor, &one, 1, 0) == 1 {
            bytes.append(one)
            if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes.dropLast(4), as: UTF8.self) }
        }
        return nil
    }

    /// - Returns: Whether all bytes were sent.
    func send(_ bytes: Data) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    /// Waits for the given time, or forever if it is negative.
    /// - Returns: Whether the client is still connected.
    func wait(milliseconds: Int) -> Bool {
        var entry = pollfd(fd: descriptor, events: Self.hangUp, revents: 0)
        return poll(&entry, 1, Int32(milliseconds)) == 0
    }

    /// Closes the connection with an RST.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
    }

    /// Closes the connection, even if a child process has inherited the socket.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}

extension Sockets {
    /// Small, so that few bytes are in flight when a connection is cut.
    private static let buffer: Int32 = 64 << 10

    static func listen() throws -> Int32 {
        let descriptor = make()
        var size = buffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        try bind(descriptor)
        guard Glibc.listen(descriptor, 64) == 0 else { throw SocketFailure(code: errno) }
        return descriptor
    }

    /// - Returns: `nil` if no connection can be accepted.
    static func accept(_ listener: Int32) -> FaultConnection? {
        var descriptor: Int32
        // A client may have left before it is accepted.
        repeat { descriptor = Glibc.accept(listener, nil, nil) } while descriptor < 0 && errno == ECONNABORTED
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isImmediate: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
        return FaultConnection(descriptor: descriptor)
    }
}
