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

/// Sockets that child processes do not inherit: one that did would keep a cut connection open.
enum Sockets {
    /// Small, so that little is on its way when a connection is cut.
    private static let buffer: Int32 = 64 << 10

    static func listen() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var size = buffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, Glibc.listen(descriptor, 64) == 0 else { throw SocketFailure(code: errno) }
        return descriptor
    }

    static func port(of descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { throw SocketFailure(code: errno) }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// - Returns: `nil` when nobody listens any more.
    static func accept(_ listener: Int32) -> FaultConnection? {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isImmediate: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
        return FaultConnection(descriptor: descriptor)
    }
}

struct SocketFailure: Error {
    let code: Int32
}
