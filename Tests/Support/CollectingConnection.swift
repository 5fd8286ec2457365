package import Foundation
import Synchronization

/// A connection whose incoming bytes are collected by a thread as they arrive.
package final class CollectingConnection: Sendable {
    private struct Received {
        var bytes = Data()
        var isClosed = false
    }

    /// A socket, which is closed when neither the connection nor the thread still needs it. Until then no other
    /// connection can get its number.
    private final class Inbox: Sendable {
        let descriptor: Int32
        let received = Mutex(Received())

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    private let inbox: Inbox

    /// - Parameter source: The client's address in the loopback network.
    package init(port: Int, from source: String? = nil, sending bytes: Data = Data()) throws {
        let inbox = Inbox(try RawHTTP.connect(port: port, from: source))
        self.inbox = inbox
        Thread.detachNewThread { Self.collect(inbox) }
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
                    inbox.descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
    }

    /// Ends the connection as a client that is killed does.
    package func disconnect() { shutdown(inbox.descriptor, Int32(SHUT_RDWR)) }

    private static func collect(_ inbox: Inbox) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(inbox.descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            inbox.received.withLock { $0.bytes.append(contentsOf: chunk[..<count]) }
        }
        inbox.received.withLock { $0.isClosed = true }
    }
}
