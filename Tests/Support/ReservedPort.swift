import Foundation

/// A local port that stays reserved during its lifetime: connections to it are refused, and the system assigns it to no
/// other process.
///
/// A server that is given the number can still listen on it: a port that is bound but not listening may be bound again
/// if both sockets set `SO_REUSEADDR`, as servers do.
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    /// - Parameter port: 0 for any free port.
    package init(_ port: Int = 0) throws {
        let descriptor = Sockets.make()
        do {
            var isReused: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
            try Sockets.bind(descriptor, port: port)
            number = try Sockets.port(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
