import FeedAPI
import FeedCore
import FeedStore
import NIOCore

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

    let changes: ChangeStore
    let streams: StreamStore
    let payloads: StreamPayloads
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
        case .delete: return StreamPayloads.id(change)
        case .notification, .conversation: return try await payloads.personal(event, change, for: subscription)
        case .filtersChanged, .resync: return StreamPayloads.empty
        }
    }
}

extension StreamEventType {
    /// Whether the payload is a status.
    fileprivate var hasStatus: Bool { self == .update || self == .statusUpdate }
}
