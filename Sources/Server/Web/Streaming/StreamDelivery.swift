import FeedCore
import NIOCore

/// A payload, and the subscriptions that receive it.
struct PayloadGroup: Sendable {
    let data: [UInt8]
    let subscriptions: [StreamSubscription]
}

/// Events on their way to the event loops of their subscribers. Equal events are encoded once and share their bytes.
struct StreamDelivery {
    private struct Batch {
        let eventLoop: any EventLoop
        var events: [(outlet: NIOLoopBoundBox<StreamOutlet>, event: ByteBuffer)] = []
    }

    /// Of the change that causes the events.
    private let position: ChangePosition
    private var batches: [ObjectIdentifier: Batch] = [:]

    init(position: ChangePosition) { self.position = position }

    mutating func add(_ event: StreamEvent, _ group: PayloadGroup) {
        let text = position.text
        var encoded: [EventEncoding: ByteBuffer] = [:]
        for subscription in group.subscriptions {
            let (encoding, loop) = (subscription.encoding, subscription.subscriber.eventLoop)
            let bytes = encoded[encoding] ?? encoding.bytes(event, data: group.data, position: text)
            encoded[encoding] = bytes
            batches[ObjectIdentifier(loop), default: Batch(eventLoop: loop)].events
                .append((subscription.subscriber.outlet, bytes))
        }
    }

    /// Returns once the event loops have taken the events, however slow the subscribers are.
    func send() async {
        let sent = batches.values.map { batch in
            let (events, sequence) = (batch.events, position.sequence)
            return batch.eventLoop.submit {
                for (outlet, event) in events { outlet.value.receive(event, of: sequence) }
            }
        }
        // Fails only if the event loop has been shut down.
        for future in sent { try? await future.get() }
    }
}
