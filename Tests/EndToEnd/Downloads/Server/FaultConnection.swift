import FeedTestSupport
import Foundation

/// A client's connection, read and written by one thread.
struct FaultConnection: Sendable {
    /// Bytes of a request's head at most.
    private static let longestHead = 64 << 10
    /// `POLLRDHUP` of Linux: the other side has closed. Swift does not see the macro.
    private static let hangUp: Int16 = 0x2000

    let descriptor: Int32

    /// The lines of a head up to its empty line; `nil` when the client has gone.
    func readHead() -> String? {
        var bytes: [UInt8] = []
        var one: UInt8 = 0
        while bytes.count < Self.longestHead, recv(descriptor, &one, 1, 0) == 1 {
            bytes.append(one)
            if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes.dropLast(4), as: UTF8.self) }
        }
        return nil
    }

    /// - Returns: Whether the client took everything.
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

    /// Waits; for ever with a negative time.
    /// - Returns: Whether the client is still there.
    func wait(milliseconds: Int) -> Bool {
        var entry = pollfd(fd: descriptor, events: Self.hangUp, revents: 0)
        return poll(&entry, 1, Int32(milliseconds)) == 0
    }

    /// Ends with a reset instead of a farewell.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
    }

    /// Says farewell, even if a child process should have inherited the socket.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}

extension Sockets {
    /// Small, so that little is on its way when a connection is cut.
    private static let buffer: Int32 = 64 << 10

    static func listen() throws -> Int32 {
        let descriptor = make()
        var size = buffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        try bind(descriptor)
        guard Glibc.listen(descriptor, 64) == 0 else { throw SocketFailure(code: errno) }
        return descriptor
    }

    /// - Returns: `nil` if the connection is refused.
    static func accept(_ listener: Int32) -> FaultConnection? {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isImmediate: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
        return FaultConnection(descriptor: descriptor)
    }
}
