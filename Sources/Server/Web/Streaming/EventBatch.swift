import FeedCore
import NIOCore

/// Events on their way to the event loops of their subscribers. Equal events are encoded once and share their bytes, and
/// the events of a subscriber are written together.
struct EventBatch {
    private struct Item: Sendable {
        let output: NIOLoopBoundBox<SubscriberOutput>
        let event: ByteBuffer
        /// Of the change that causes the event.
        let sequence: Int64
    }

    private struct Batch {
        let eventLoop: any EventLoop
        var items: [Item] = []
    }

    /// Far less than the buffer of a subscriber.
    private static let maximumBytes = 16 * 1024
    private static let maximumCount = 16_384

    private var batches: [ObjectIdentifier: Batch] = [:]
    /// At least what a subscriber receives on one stream.
    private var bytes = 0
    private var count = 0

    /// Whether the events must be sent before others are added.
    var isFull: Bool { bytes >= Self.maximumBytes || count >= Self.maximumCount }

    mutating func add(_ event: StreamEventType, at position: ChangePosition, _ groups: [PayloadGroup]) {
        for group in groups { add(event, at: position, group) }
        bytes += groups.map(\.data.count).max() ?? 0
    }

    private mutating func add(_ event: StreamEventType, at position: ChangePosition, _ group: PayloadGroup) {
        count += group.subscriptions.count
        let text = position.formatted
        var encoded: [EventEncoding: ByteBuffer] = [:]
        for subscription in group.subscriptions {
            let (encoding, loop) = (subscription.encoding, subscription.subscriber.eventLoop)
            let bytes = encoded[encoding] ?? encoding.bytes(event, data: group.data, position: text)
            encoded[encoding] = bytes
            batches[ObjectIdentifier(loop), default: Batch(eventLoop: loop)].items
                .append(Item(output: subscription.subscriber.output, event: bytes, sequence: position.sequence))
        }
    }

    /// Returns once the event loops have taken the events, however slow the subscribers are.
    func send() async {
        let sent = batches.values.map { batch in
            let items = batch.items
            return batch.eventLoop.submit {
                for item in items { item.output.value.receive(item.event, of: item.sequence) }
                for item in items { item.output.value.flush() }
            }
        }
        // Fails only if the event loop has been shut down.
        for future in sent { try? await future.get() }
    }
}
