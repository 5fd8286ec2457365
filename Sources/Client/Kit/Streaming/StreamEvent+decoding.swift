import FeedAPI
import Foundation

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
