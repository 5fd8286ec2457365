import FeedAPI
import FeedCore
import FeedStore
import Logging
import NIOCore

/// Subscribes connections to streams, and first sends them the events that they have missed. Runs in the publisher, because
/// the connections have no tasks.
///
/// A replay reads one batch in each of its turns, and has none while its client reads. Once it has sent everything up
/// to the position of the registry, its subscription becomes live in one step with that comparison, so that no change
/// is missed or sent twice.
struct StreamReplay: Sendable {
    let streams: StreamRegistry
    let access: StreamAccess
    let missed: MissedEvents
    /// Whether commands that ask for missed events are counted.
    let limitsReplays: Bool
    let clock: WallClock
    let logger: Logger

    /// Performs a job and reports its end.
    func run(_ job: StreamRegistry.Job) async {
        let problem = await subscribe(job)
        job.subscriber.eventLoop.execute { job.done(problem) }
    }

    /// - Returns: The reason why the stream is refused.
    private func subscribe(_ job: StreamRegistry.Job) async -> ErrorResponse? {
        let subscription = StreamSubscription(subscriber: job.subscriber, selection: job.selection)
        do {
            try await access.check(to: subscription.stream, job.subscriber.caller)
            let isCounted = job.isCommand && job.selection.since != nil && limitsReplays
            let owner = job.subscriber.owner
            if isCounted { try streams.beginCommandedReplay(of: owner, now: clock.now()) }
            defer { if isCounted { streams.endCommandedReplay(of: owner) } }
            guard let replay = try streams.reserve(subscription) else { return nil }
            await send(to: subscription, replay)
            return nil
        } catch let error as FeedError {
            return ErrorResponse(error)
        } catch {
            job.subscriber.finish(.unavailable)
            return nil
        }
    }

    private func send(to subscription: StreamSubscription, _ replay: UInt64) async {
        do {
            guard let since = subscription.selection.since else {
                _ = streams.subscribe(subscription)
                return
            }
            try await catchUp(subscription, replay, since: since)
        } catch  where error is ChannelError || error is CancellationError || Task.isCancelled {
            // The stream has ended, or the server shuts down, which has a reason of its own.
        } catch {
            subscription.subscriber.finish(.unavailable)
            logger.error("cannot send missed events", metadata: ["error": "\(error)"])
        }
    }

    private func catchUp(_ subscription: StreamSubscription, _ replay: UInt64, since: ChangeCursor) async throws {
        let window = try await turn(of: subscription, replay) { try await missed.streams.window() }
        var (position, sent): (ChangePosition, Int64?) = (window.end, nil)
        switch window.start(from: since) {
        case .replay(let start) where window.last - start <= Int64(StreamLimits.replayedRows):
            position = window.position(start)
        case .replay, .resync:
            subscription.send(.resync, EventPayloads.empty, position: position)
            sent = position.sequence
        }
        var rows = MissedEvents.maximumRows
        while !streams.promoteToLive(subscription, replay, after: position) {
            let next = try await turn(of: subscription, replay) {
                try await missed.next(after: position, for: subscription, rows: rows)
            }
            guard streams.isReplaying(subscription, replay) else { return }
            guard let batch = next, streams.position.epoch == position.epoch else {
                // The log was restarted, or pruned faster than the client reads.
                return subscription.subscriber.finish(.unavailable)
            }
            subscription.subscriber.send(batch.events)
            // Holds no turn here, so others continue. All encoded events are in the subscriber's own buffer now.
            try await subscription.subscriber.awaitReader(atMost: streams.readTimeout)
            position = ChangePosition(epoch: position.epoch, sequence: batch.last)
            (rows, sent) = (batch.nextRows, batch.lastEvent ?? sent)
        }
        await subscription.subscriber.begin(at: position, sent: sent)
    }

    /// Reads the database when it is the turn of a replay.
    /// - Throws: `CancellationError` if the subscription has ended meanwhile.
    private func turn<Value: Sendable>(
        of subscription: StreamSubscription, _ replay: UInt64, _ read: () async throws -> Value
    ) async throws -> Value {
        try await streams.replays.run(
            subscription.subscriber.owner.rateKey, id: replay, while: { streams.isReplaying(subscription, replay) }
        ) {
            try Task.checkCancellation()
            return try await read()
        }
    }
}

extension StreamSubscription {
    fileprivate func send(_ event: StreamEventType, _ data: [UInt8], position: ChangePosition) {
        subscriber.send([encoding.bytes(event, data: data, position: position.formatted)])
    }
}

/// Reads the events that a subscription has missed, and encodes them as they are now, in batches of limited size.
struct MissedEvents: Sendable {
    /// Encoded events in order.
    struct Batch: Sendable {
        var events: [ByteBuffer] = []
        /// The last row of the log that the batch covers.
        var last: Int64
        /// The sequence number of the last event.
        var lastEvent: Int64?
        /// The number of rows to read for the next batch, so that few are read whose events do not fit.
        var nextRows = MissedEvents.maximumRows
    }

    /// The number of rows of the log that a batch covers at most.
    static let maximumRows = 32

    let changes: ChangeLogStore
    let streams: StreamStore
    let payloads: EventPayloads
    /// The maximum size of a batch in bytes, unless it contains a single event. The buffer of the subscriber must not
    /// overflow.
    var maximumBytes = 64 * 1024

    /// The events of the rows after a position; `nil` if there are no such rows, or some have been pruned.
    /// - Parameter count: The number of rows to read, see ``Batch/nextRows``.
    func next(
        after position: ChangePosition, for subscription: StreamSubscription, rows count: Int = Self.maximumRows
    ) async throws -> Batch? {
        let limit = max(1, min(count, Self.maximumRows))
        let rows = try await changes.changes(after: position.sequence, limit: limit)
        // Read after the rows, so that none before them can have been pruned unnoticed.
        guard let last = rows.last, try await streams.window().floor <= position.sequence else {
            return nil
        }
        let group = subscription.stream.group
        let relevant = rows.filter { row in
            StreamRouting.entries(for: row.kind).contains { $0.groups.contains(group) }
        }
        let events = try await events(of: relevant, for: subscription)
        var batch = try await encoded(events, for: subscription, epoch: position.epoch, upTo: last.sequence)
        batch.nextRows = nextRows(after: batch, covering: rows.count { $0.sequence <= batch.last })
        return batch
    }

    /// As many rows as would fit if their events were as large as those of the last batch.
    private func nextRows(after batch: Batch, covering rows: Int) -> Int {
        let size = batch.events.reduce(0) { $0 + $1.readableBytes }
        return max(1, min(rows * maximumBytes / max(1, size), Self.maximumRows))
    }

    /// The events of the stream; at most one for each row.
    private func events(
        of rows: [Change], for subscription: StreamSubscription
    ) async throws -> [(event: StreamEventType, change: Change)] {
        guard !rows.isEmpty else { return [] }
        let subscriber = subscription.subscriber
        let recipients = try await streams.recipients(
            of: rows, among: SubscribedAccounts([subscription]))
        return recipients.flatMap { recipients in
            recipients.events(on: subscription.stream, for: subscriber.account)
                .filter(subscriber.mayReceive).map { (event: $0, change: recipients.change) }
        }
    }

    /// - Parameter last: The last row that was read.
    private func encoded(
        _ events: [(event: StreamEventType, change: Change)], for subscription: StreamSubscription, epoch: String,
        upTo last: Int64
    ) async throws -> Batch {
        guard !events.isEmpty else { return Batch(last: last) }
        let ids = events.filter { $0.event.hasStatus }.compactMap(\.change.subject)
        let statuses = try await statuses(ids, for: subscription)
        let entities = try await payloads.entities(for: subscription, .update)
        var (batch, size) = (Batch(last: last), 0)
        for (event, change) in events {
            let status = change.subject.flatMap { statuses[$0] }
            guard let data = try await data(of: event, change, status, entities, for: subscription) else { continue }
            let position = ChangePosition(epoch: epoch, sequence: change.sequence).formatted
            let bytes = subscription.encoding.bytes(event, data: data, position: position)
            guard batch.events.isEmpty || size + bytes.readableBytes <= maximumBytes else {
                // The next batch begins with this row.
                batch.last = change.sequence - 1
                return batch
            }
            batch.events.append(bytes)
            batch.lastEvent = change.sequence
            size += bytes.readableBytes
        }
        return batch
    }

    /// Statuses as they are now, by the id of the status or boost.
    private func statuses(_ ids: [Int64], for subscription: StreamSubscription) async throws -> [Int64: Status] {
        guard !ids.isEmpty else { return [:] }
        let statuses = try await payloads.statuses.statuses(ids: ids, for: subscription.subscriber.account)
        return Dictionary(statuses.map { ($0.pageID, $0) }) { first, _ in first }
    }

    /// The payload; `nil` if the account may no longer see it.
    private func data(
        of event: StreamEventType, _ change: Change, _ status: Status?, _ entities: EntityContext,
        for subscription: StreamSubscription
    ) async throws -> [UInt8]? {
        switch event {
        case .update, .statusUpdate:
            guard let status else { return nil }
            var json = JSONWriter(capacity: 4096)
            json.status(status, entities, viewer: subscription.subscriber.viewer)
            return json.bytes
        case .delete: return EventPayloads.id(change)
        case .notification, .conversation: return try await payloads.personal(event, change, for: subscription)
        case .filtersChanged, .resync: return EventPayloads.empty
        }
    }
}

extension StreamEventType {
    /// Whether the payload is a status.
    fileprivate var hasStatus: Bool { self == .update || self == .statusUpdate }
}
