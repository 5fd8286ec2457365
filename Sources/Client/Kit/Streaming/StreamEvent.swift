import FeedAPI
import Foundation

/// An event of a stream.
public struct StreamEvent: Sendable {
    /// The content of an event.
    public enum Content: Sendable {
        /// The stream has been opened, or events may have been missed. The reader must now load the content of
        /// the stream, such as the page of a timeline: only changes from now on arrive as events.
        case resync
        /// A new status.
        case update(TimelineEntry)
        /// A status has been edited.
        case statusUpdate(TimelineEntry)
        /// A status has been deleted; its id.
        case delete(String)
        case notification(NotificationEntry)
        /// A conversation has a new status; a Conversation entity as JSON.
        case conversation(json: [UInt8])
        /// The filters of this account have changed.
        case filtersChanged
        /// An event that is unknown to the library, or that could not be decoded.
        case other(type: String, payload: String)
    }

    public let content: Content
    /// The position in the stream after this event, if the server has positions.
    public let position: String?

    public init(_ content: Content, position: String? = nil) {
        (self.content, self.position) = (content, position)
    }
}

extension StreamEvent {
    /// Decodes an event.
    /// - Parameter onSkip: Called with an entity that could not be decoded.
    init(_ message: StreamMessage, onSkip: ((SkippedEntity) -> Void)?) {
        let skipped = SkippedEntities()
        let content = SkippedEntities.$current.withValue(skipped) { Self.content(message) }
        for entity in skipped.all { onSkip?(entity) }
        self.init(content ?? .other(type: message.type, payload: message.payload), position: message.position)
    }

    private static func content(_ message: StreamMessage) -> Content? {
        let json = Array(message.payload.utf8)
        switch message.type {
        case "update": return entry(json).map(Content.update)
        case "status.update": return entry(json).map(Content.statusUpdate)
        case "delete": return message.payload.isEmpty ? nil : .delete(message.payload)
        case "notification":
            return entity(Entity.Notification.self, json).map { .notification(NotificationEntry($0, json: json)) }
        case "conversation": return .conversation(json: json)
        case "filters_changed": return .filtersChanged
        case "resync": return .resync
        default: return nil
        }
    }

    private static func entry(_ json: [UInt8]) -> TimelineEntry? {
        entity(Entity.Status.self, json).map { TimelineEntry(status: $0, json: json) }
    }

    private static func entity<Value: Decodable & Sendable>(_ type: Value.Type, _ json: [UInt8]) -> Value? {
        (try? JSONDecoder().decode(Tolerant<Value>.self, from: Data(json)))?.value
    }
}
