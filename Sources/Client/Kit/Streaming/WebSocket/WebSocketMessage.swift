import Foundation
import NIOCore

/// A message of the Mastodon streaming API on a WebSocket. Pure.
struct WebSocketMessage: Decodable, Equatable {
    let event: String
    /// JSON, or the id of a deleted status; `nil` for events without content.
    let payload: String?
    /// The position after the event, on servers that have positions.
    let id: String?

    /// - Returns: `nil` for a message that is not an event.
    static func decode(_ bytes: ByteBuffer) -> WebSocketMessage? {
        try? JSONDecoder().decode(Self.self, from: Data(bytes.readableBytesView))
    }
}
