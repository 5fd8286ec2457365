import Foundation

/// A port of this machine that stays free for as long as this lives: connections to it are refused, and nobody who asks the
/// system for any free port is given it.
///
/// A server that is told the number can listen on it all the same: a port that is bound, but not listened on, may be bound
/// once more when both sockets say so (`SO_REUSEADDR`), as servers do.
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    /// - Parameter port: 0 for any that is free.
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
