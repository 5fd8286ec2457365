package import Foundation

/// Connections that stay open until this object is released.
package final class HeldConnections: Sendable {
    private let descriptors: [Int32]

    /// - Parameters:
    ///   - source: The client's address in the loopback network.
    ///   - bytes: What is sent on each of them.
    ///   - receiveBuffer: The size in bytes of the kernel's buffer for unread bytes; `nil` for the default.
    package init(
        _ count: Int, port: Int, from source: String? = nil, sending bytes: Data = Data(), receiveBuffer: Int32? = nil
    ) throws {
        var opened: [Int32] = []
        do {
            for _ in 0..<count {
                let descriptor = Sockets.make()
                opened.append(descriptor)
                if var size = receiveBuffer {
                    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
                }
                if let source { try Sockets.bind(descriptor, address: source) }
                try Sockets.connect(descriptor, port: port)
                // A connection that the server has closed already cannot be written to.
                _ = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            }
        } catch {
            for descriptor in opened { Glibc.close(descriptor) }
            throw error
        }
        descriptors = opened
    }

    deinit { for descriptor in descriptors { Glibc.close(descriptor) } }

    /// Whether the server has closed all of them. Reads and discards the bytes it sent.
    package var areClosed: Bool {
        descriptors.allSatisfy { descriptor in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
                if count <= 0 { return count == 0 || errno != EAGAIN }
            }
        }
    }

    /// Whether the server has sent bytes on all of them. They stay unread.
    package var haveBytes: Bool {
        descriptors.allSatisfy { descriptor in
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) > 0
        }
    }

    /// Sends a request on the first connection, and returns what arrives until it ends with `end`.
    package func ask(_ request: String, until end: String) throws -> String {
        let descriptor = descriptors[0]
        Sockets.limitWaiting(descriptor)
        let bytes = Data(request.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !text.hasSuffix(end) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw SocketFailure(code: errno) }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return text
    }
}
