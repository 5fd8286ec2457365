import FeedCore
import NIOCore
import NIOWebSocket

/// Assembles the messages of a WebSocket from its frames and enforces RFC 6455. A pure state machine.
struct WebSocketInput {
    enum Action: Equatable {
        case none
        /// A complete text message.
        case message(String)
        /// Answer a ping with these bytes.
        case pong(ByteBuffer)
        /// The client closes the connection: answer with its code and close.
        case closed(UInt16)
        /// The client violates the protocol or a limit: send this code and close.
        case fail(WebSocketErrorCode, String)
    }

    /// The maximum size of a frame, and of a message, in bytes.
    static let maximumBytes = 64 * 1024
    /// The maximum number of frames of one message.
    static let maximumFragments = 1024

    /// The beginning of a message whose last frame has not arrived.
    private var partial: ByteBuffer?
    private var fragments = 0

    /// - Parameter frame: A frame whose size the decoder has limited.
    mutating func receive(_ frame: WebSocketFrame) -> Action {
        guard frame.maskKey != nil else { return .fail(.protocolError, "frames must be masked") }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return .fail(.protocolError, "no extension is in use") }
        switch frame.opcode {
        case .text: return begin(frame)
        case .continuation: return proceed(frame)
        case .ping: return .pong(frame.unmaskedData)
        case .pong: return .none
        case .connectionClose: return Self.close(frame.unmaskedData)
        case .binary: return .fail(.unacceptableData, "messages are text")
        default: return .fail(.protocolError, "unknown opcode")
        }
    }

    private mutating func begin(_ frame: WebSocketFrame) -> Action {
        guard partial == nil else { return .fail(.protocolError, "the previous message is not complete") }
        guard !frame.fin else { return Self.message(frame.unmaskedData) }
        (partial, fragments) = (frame.unmaskedData, 1)
        return .none
    }

    private mutating func proceed(_ frame: WebSocketFrame) -> Action {
        guard var message = partial else { return .fail(.protocolError, "there is no message to continue") }
        partial = nil
        fragments += 1
        var data = frame.unmaskedData
        guard message.readableBytes + data.readableBytes <= Self.maximumBytes, fragments <= Self.maximumFragments else {
            return .fail(.messageTooLarge, "the message is too large")
        }
        message.writeBuffer(&data)
        guard frame.fin else {
            partial = message
            return .none
        }
        return Self.message(message)
    }

    private static func message(_ data: ByteBuffer) -> Action {
        guard let text = String(validating: data.readableBytesView, as: UTF8.self) else {
            return .fail(.dataInconsistentWithMessage, "the message is not UTF-8")
        }
        return .message(text)
    }

    /// A close frame is empty, or contains a code and a reason in UTF-8 (§5.5.1).
    private static func close(_ data: ByteBuffer) -> Action {
        var data = data
        guard data.readableBytes > 0 else { return .closed(1000) }
        guard let code = data.readInteger(as: UInt16.self), isValid(code) else {
            return .fail(.protocolError, "the close code is not valid")
        }
        guard String(validating: data.readableBytesView, as: UTF8.self) != nil else {
            return .fail(.dataInconsistentWithMessage, "the reason is not UTF-8")
        }
        return .closed(code)
    }

    /// The codes that may be sent (§7.4).
    private static func isValid(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A message of the client of a WebSocket, as in the Mastodon API.
enum WebSocketCommand: Sendable, Equatable {
    case subscribe(StreamSelection)
    case unsubscribe(StreamName)

    /// The maximum number of values in a message.
    private static let maximumValues = 20

    /// - Throws: ``FeedError`` `.malformed` for anything else, `.tooLarge` for too many values.
    init(_ text: String) throws(FeedError) {
        let values = try Self.values(text)
        switch values["type"] {
        case "subscribe": self = .subscribe(try StreamSelection(values))
        case "unsubscribe": self = .unsubscribe(try StreamSelection(values).stream)
        default:
            throw .malformed(
                "Unknown message type", hint: "The type of a message is \"subscribe\" or \"unsubscribe\".")
        }
    }

    private static func values(_ text: String) throws(FeedError) -> RequestParameters {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(FeedError) in try JSONParser.read(bytes, upTo: maximumValues) }
        }
        do {
            return try result.get()
        } catch {
            throw error.kind == .malformed ? .malformed("The message is not a JSON object") : error
        }
    }
}
