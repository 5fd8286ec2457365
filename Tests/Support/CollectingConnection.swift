package import Foundation
import Synchronization

/// A connection whose incoming bytes are collected by a thread as they arrive.
package final class CollectingConnection: Sendable {
    private struct Received {
        var bytes = Data()
        var isClosed = false
    }

    /// Outlives the connection until the thread has ended.
    private final class Inbox: Sendable {
        let received = Mutex(Received())
    }

    private let descriptor: Int32
    private let inbox = Inbox()

    /// - Parameter source: The client's address in the loopback network.
    package init(port: Int, from source: String? = nil, sending bytes: Data = Data()) throws {
        descriptor = try RawHTTP.connect(port: port, from: source)
        let (descriptor, inbox) = (descriptor, inbox)
        Thread.detachNewThread { Self.collect(descriptor, inbox) }
        send(bytes)
    }

    deinit { disconnect() }

    /// Everything that has arrived.
    package var bytes: Data { inbox.received.withLock { $0.bytes } }

    /// Whether the server has closed the connection.
    package var isClosed: Bool { inbox.received.withLock { $0.isClosed } }

    /// Sends bytes. A connection that the server has closed ignores them.
    package func send(_ bytes: Data) {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
    }

    /// Ends the connection as a client that is killed does.
    package func disconnect() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func collect(_ descriptor: Int32, _ inbox: Inbox) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            inbox.received.withLock { $0.bytes.append(contentsOf: chunk[..<count]) }
        }
        inbox.received.withLock { $0.isClosed = true }
        close(descriptor)
    }
}
