import Foundation
import TestKit

/// TCP sockets on the loopback address, and Unix sockets. Child processes do not inherit them, since inherited sockets would stay open
/// after the test has closed them.
package enum Sockets {
    package static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    package static func connect(_ descriptor: Int32, port: Int) throws {
        let code = withAddress(port) { Glibc.connect(descriptor, $0, $1) }
        guard code == 0 else { throw SocketFailure(code: errno) }
    }

    /// Connects to a Unix socket.
    /// - Parameter isBlocking: Whether to wait while the queue of the listening socket is full.
    package static func connect(unix path: String, isBlocking: Bool = true) throws -> Int32 {
        let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            let failure = SocketFailure(code: errno)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// - Parameters:
    ///   - address: An address of the loopback network.
    ///   - port: 0 for any free port.
    package static func bind(_ descriptor: Int32, address: String = "127.0.0.1", port: Int = 0) throws {
        let code = withAddress(port, address) { Glibc.bind(descriptor, $0, $1) }
        guard code == 0 else { throw SocketFailure(code: errno) }
    }

    package static func port(of descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { throw SocketFailure(code: errno) }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Makes reads and writes fail with `EAGAIN` after ``Wait/seconds`` without progress.
    package static func limitWaiting(_ descriptor: Int32) {
        var timeout = timeval(tv_sec: Wait.seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private static func withAddress(
        _ port: Int, _ text: String = "127.0.0.1", _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(text)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

package struct SocketFailure: Error {
    package let code: Int32

    package init(code: Int32) { self.code = code }
}
