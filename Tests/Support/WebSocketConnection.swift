package import Foundation
import TestKit

/// A client of WebSockets (RFC 6455) that can also violate the protocol.
package final class WebSocketConnection: Sendable {
    /// A frame that the server has sent.
    package struct Frame: Sendable, Equatable {
        package let opcode: UInt8
        package let data: Data

        package var text: String { String(decoding: data, as: UTF8.self) }
        /// The code of a close frame.
        package var code: Int? {
            opcode == 8 && data.count >= 2 ? Int(data[data.startIndex]) << 8 | Int(data[data.startIndex + 1]) : nil
        }

        /// A member of the JSON object in a text frame.
        package subscript(name: String) -> Any? {
            (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?[name]
        }
    }

    /// The key of RFC 6455 §1.3, for which the response must be ``accept``.
    package static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    package static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private let connection: CollectingConnection

    /// - Parameters:
    ///   - query: The query, with its question mark.
    ///   - headers: Further lines of the head.
    package init(
        port: Int, _ query: String = "", headers: [String] = [], version: String = "13", from source: String? = nil
    ) throws {
        let lines =
            [
                "GET /api/v1/streaming\(query) HTTP/1.1", "Host: feed.test", "Connection: keep-alive, Upgrade",
                "Upgrade: websocket", "Sec-WebSocket-Key: \(Self.key)", "Sec-WebSocket-Version: \(version)",
            ] + headers
        let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        connection = try CollectingConnection(port: port, from: source, sending: head)
    }

    package var isClosed: Bool { connection.isClosed }

    package func disconnect() { connection.disconnect() }

    /// Waits for the response to the handshake.
    @discardableResult
    package func opened() async throws -> RawHTTP.Response {
        try await Wait.until("the response to the handshake") {
            (try? RawHTTP.parse(connection.bytes))?.isComplete ?? false || isClosed
        }
        return try RawHTTP.parse(connection.bytes)
    }

    /// The complete frames that have arrived.
    package var frames: [Frame] {
        guard let head = connection.bytes.range(of: Data("\r\n\r\n".utf8)) else { return [] }
        var rest = Data(connection.bytes[head.upperBound...])
        var frames: [Frame] = []
        while let (frame, size) = Self.first(in: rest) {
            frames.append(frame)
            rest = Data(rest.dropFirst(size))
        }
        return frames
    }

    /// The text frames that have arrived.
    package var messages: [Frame] { frames.filter { $0.opcode == 1 } }

    /// Waits for a number of text frames.
    package func messages(_ count: Int) async throws -> [Frame] {
        try await Wait.until("\(count) messages instead of \(messages.count)") { messages.count >= count || isClosed }
        return messages
    }

    /// Waits until the server closes the connection, and returns the code of its close frame.
    package func closeCode() async throws -> Int? {
        try await Wait.until("a close frame") { frames.contains { $0.opcode == 8 } || isClosed }
        return frames.first { $0.opcode == 8 }?.code
    }

    /// Sends a text message.
    package func say(_ text: String) { send(0x81, Data(text.utf8)) }

    /// Sends a frame.
    /// - Parameters:
    ///   - first: The first byte: FIN, the reserved bits and the opcode.
    ///   - length: The length in the header of the frame; the length of the data if `nil`.
    package func send(_ first: UInt8, _ data: Data, isMasked: Bool = true, claiming length: UInt64? = nil) {
        var bytes = Data([first])
        let mask: UInt8 = isMasked ? 0x80 : 0
        let length = length ?? UInt64(data.count)
        switch length {
        case 0..<126: bytes.append(mask | UInt8(length))
        case 126..<65_536: bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        }
        let key: [UInt8] = [1, 2, 3, 4]
        if isMasked {
            bytes += key
            bytes += data.enumerated().map { $1 ^ key[$0 % 4] }
        } else {
            bytes += data
        }
        connection.send(bytes)
    }

    private static func first(in bytes: Data) -> (Frame, Int)? {
        guard bytes.count >= 2 else { return nil }
        var (length, start) = (Int(bytes[1] & 127), 2)
        let extended = length == 126 ? 2 : length == 127 ? 8 : 0
        guard bytes.count >= start + extended else { return nil }
        if extended > 0 {
            length = bytes[start..<start + extended].reduce(0) { $0 << 8 | Int($1) }
            start += extended
        }
        guard bytes.count >= start + length else { return nil }
        return (Frame(opcode: bytes[0] & 15, data: Data(bytes[start..<start + length])), start + length)
    }
}
