import FeedAPI
import FeedCore
import Logging
import NIOCore

/// Subscribes connections to streams, and first sends them the events that they have missed. Runs in the hub, because the
/// connections have no tasks.
struct StreamReplay: Sendable {
    /// The number of rows of the log that are examined at a time.
    private static let batch = 32
    /// The size in bytes of what is sent before the client has read it: the buffer of the subscriber must not overflow.
    private static let slice = 64 * 1024
    /// The maximum time in which a client must read what it was sent.
    private static let patience = TimeAmount.seconds(30)

    let services: Services
    let payloads: StreamPayloads
    let logger: Logger

    private var streams: StreamRegistry { services.streams }

    /// Performs a job and reports its end.
    func run(_ job: StreamRegistry.Job) async {
        let problem = await subscribe(job)
        job.subscriber.eventLoop.execute { job.done(problem) }
    }

    /// - Returns: Why the stream is refused.
    private func subscribe(_ job: StreamRegistry.Job) async -> Problem? {
        let subscription = StreamSubscription(subscriber: job.subscriber, selection: job.selection)
        do {
            try await services.checkAccess(to: subscription.stream, job.subscriber.caller)
            guard let reserved = try streams.reserve(subscription) else { return nil }
            await send(to: subscription, reserved)
            return nil
        } catch let error as FeedError {
            return Problem(error)
        } catch {
            job.subscriber.finish(.unavailable)
            return nil
        }
    }

    private func send(to subscription: StreamSubscription, _ reserved: UInt64) async {
        do {
            guard let since = subscription.selection.since else {
                _ = streams.subscribe(subscription)
                return
            }
            try await replay(since, to: subscription, reserved)
        } catch is ChannelError {
            // The stream has ended.
        } catch {
            // A shutdown has a reason of its own.
            guard !Task.isCancelled else { return }
            subscription.subscriber.finish(.unavailable)
            logger.error("cannot send missed events", metadata: ["error": "\(error)"])
        }
    }

    private func replay(_ since: ChangeCursor, to subscription: StreamSubscription, _ reserved: UInt64) async throws {
        let window = try await services.stores.streams.window()
        var position = window.end
        switch window.start(from: since) {
        case .replay(let start) where window.last - start <= Int64(StreamLimits.replayedRows):
            position = window.position(start)
        case .replay, .resync:
            subscription.send(.resync, StreamPayloads.empty, position: position)
        }
        while !streams.goLive(subscription, reserved, after: position) {
            let next = try await services.reads.run(Self.client(subscription)) {
                try await missed(after: position, by: subscription)
            }
            guard let next, streams.position.epoch == position.epoch else {
                // The log was restarted, or pruned faster than the client reads.
                return subscription.subscriber.finish(.unavailable)
            }
            try await send(next.events, to: subscription.subscriber)
            position = ChangePosition(epoch: position.epoch, sequence: next.last)
        }
        await subscription.subscriber.begin(at: position)
    }

    /// Sends events as fast as the client reads them.
    private func send(_ events: [ByteBuffer], to subscriber: StreamSubscriber) async throws {
        var (slice, size): ([ByteBuffer], Int) = ([], 0)
        for event in events {
            if size > 0, size + event.readableBytes > Self.slice {
                subscriber.send(slice)
                try await subscriber.awaitReader(atMost: Self.patience)
                (slice, size) = ([], 0)
            }
            slice.append(event)
            size += event.readableBytes
        }
        subscriber.send(slice)
        try await subscriber.awaitReader(atMost: Self.patience)
    }

    private static func client(_ subscription: StreamSubscription) -> RateKey {
        let owner = subscription.subscriber.owner
        return owner.account.map { .account($0) } ?? .address(owner.network)
    }

    /// The events of the next rows, and the last of these rows; `nil` if there are no more rows.
    private func missed(
        after position: ChangePosition, by subscription: StreamSubscription
    ) async throws -> (events: [ByteBuffer], last: Int64)? {
        let rows = try await services.stores.changes.changes(after: position.sequence, limit: Self.batch)
        // Read after the rows, so that none before them can have been pruned unnoticed.
        guard let last = rows.last, try await services.stores.streams.window().floor <= position.sequence else {
            return nil
        }
        let group = subscription.stream.group
        let relevant = rows.filter { row in
            StreamTable.entries(for: row.kind).contains { $0.groups.contains(group) }
        }
        let events = try await encoded(relevant, for: subscription, epoch: position.epoch)
        return (events, last.sequence)
    }

    private func encoded(
        _ rows: [Change], for subscription: StreamSubscription, epoch: String
    ) async throws -> [ByteBuffer] {
        guard !rows.isEmpty else { return [] }
        let subscriber = subscription.subscriber
        let recipients = try await services.stores.streams.recipients(of: rows, among: StreamReaders([subscription]))
        let events = recipients.flatMap { recipients in
            recipients.events(on: subscription.stream, for: subscriber.account)
                .filter(subscriber.mayReceive).map { (event: $0, change: recipients.change) }
        }
        let ids = events.filter { $0.event.hasStatus }.compactMap(\.change.subject)
        let statuses = try await statuses(ids, for: subscription)
        let encoding = subscription.encoding
        var encoded: [ByteBuffer] = []
        for (event, change) in events {
            let position = ChangePosition(epoch: epoch, sequence: change.sequence).text
            guard let data = try await data(of: event, change, statuses, for: subscription) else { continue }
            encoded.append(encoding.bytes(event, data: data, position: position))
        }
        return encoded
    }

    /// The JSON of statuses as they are now, by the id of the status or boost.
    private func statuses(_ ids: [Int64], for subscription: StreamSubscription) async throws -> [Int64: [UInt8]] {
        guard !ids.isEmpty else { return [:] }
        let viewer = subscription.subscriber.viewer
        let found = try await services.stores.statuses.statuses(ids: ids, for: viewer?.account.id)
        let entities = try await payloads.entities(for: subscription, .update)
        return Dictionary(
            found.map { status in
                var json = JSONWriter(capacity: 4096)
                json.status(status, entities, viewer: viewer)
                return (status.pageID, json.bytes)
            }
        ) { first, _ in first }
    }

    private func data(
        of event: StreamEvent, _ change: Change, _ statuses: [Int64: [UInt8]],
        for subscription: StreamSubscription
    ) async throws -> [UInt8]? {
        switch event {
        case .update, .statusUpdate: change.subject.flatMap { statuses[$0] }
        case .delete: StreamPayloads.id(change)
        case .notification, .conversation: try await payloads.personal(event, change, for: subscription)
        case .filtersChanged, .resync: StreamPayloads.empty
        }
    }
}

extension StreamEvent {
    /// Whether the payload is a status.
    fileprivate var hasStatus: Bool { self == .update || self == .statusUpdate }
}

extension StreamSubscription {
    fileprivate func send(_ event: StreamEvent, _ data: [UInt8], position: ChangePosition) {
        subscriber.send([encoding.bytes(event, data: data, position: position.text)])
    }
}
