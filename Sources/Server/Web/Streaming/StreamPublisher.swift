import FeedCore
import FeedStore
import Logging
import NIOCore
import Synchronization

/// Follows the change log and sends its events to the open streams: one query finds all recipients of a change, or of
/// several that have accumulated.
///
/// It never waits for a subscriber. What an event loop has not taken yet is bounded, because the publisher waits for the
/// event loops themselves. When changes are faster than they can be sent, requests come first.
///
/// For the changes that have accumulated, it takes the live subscriptions that they may reach and moves the position of
/// the registry in one step; finds the recipients with one query; encodes each payload once (``StatusTemplate``); and
/// hands the bytes to the event loops (``EventBatch``), which write the events of a subscriber together. Before a
/// change that may end a login, it checks the tokens of the streams again.
package struct StreamPublisher: Sendable {
    /// The maximum number of changes read at a time.
    private static let batch = 256
    /// The kinds of changes after which tokens may be invalid.
    private static let loginChanges: Set<Change.Kind> = [
        .passwordChanged, .tokenRevoked, .accountSuspended, .accountRemoved, .signUpRejected, .imported,
    ]

    /// While changes wait, the publisher works a fifth of the time at most, unless its work takes long.
    private static let restFactor = 4
    private static let maximumRest = TimeAmount.milliseconds(100)
    /// The rest after each change while there are no streams.
    private static let idleRest = Duration.milliseconds(20)

    let log: RecentChanges
    let replay: StreamReplay

    private var streams: StreamRegistry { replay.streams }
    private var missed: MissedEvents { replay.missed }
    private var payloads: EventPayloads { missed.payloads }
    private var logger: Logger { replay.logger }

    /// Runs until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await follow() }
            for await job in streams.jobs { group.addTask { await replay.run(job) } }
            group.cancelAll()
        }
    }

    private func follow() async {
        while !Task.isCancelled {
            let state = log.state
            do {
                try await sendChanges()
                await wait(while: state)
                if streams.count == 0 { try? await Task.sleep(for: Self.idleRest) }
            } catch {
                guard !Task.isCancelled else { return }
                logger.error("cannot read the change log for streams", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Waits until the log advances or the task is cancelled.
    private func wait(while state: RecentChanges.State) async {
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        await withTaskCancellationHandler {
            await log.wait(while: state) { end in
                stop.withLock { $0 = end }
                if Task.isCancelled { end() }
            }
        } onCancel: {
            stop.withLock { $0 }?()
        }
        // During a shutdown, no request waits for the publisher.
        if log.state == state { try? await Task.sleep(for: .milliseconds(50)) }
    }

    private func sendChanges() async throws {
        while !Task.isCancelled {
            let (epoch, last, position) = (log.epoch, log.sequence, streams.position)
            guard epoch == position.epoch, last >= position.sequence else {
                return await restart(at: ChangePosition(epoch: epoch, sequence: last))
            }
            guard last > position.sequence else { return }
            let changes = try await changes(after: position.sequence, upTo: last)
            for part in Self.parts(of: changes) {
                await send(part)
                // The changes may not have been sent, so the next ones must not be.
                guard !Task.isCancelled else { return }
            }
            if changes.isEmpty { streams.move(to: ChangePosition(epoch: epoch, sequence: last)) }
        }
    }

    /// Changes up to a position that the log has reached, so that nothing cached is older than they are.
    private func changes(after position: Int64, upTo last: Int64) async throws -> [Change] {
        if let rows = log.rows(after: position, limit: Self.batch) { return rows }
        let read = try await missed.changes.changes(after: position, limit: Self.batch)
        return read.filter { $0.sequence <= last }
    }

    /// The database has lost its newest changes. Clients connect again, and are told that their position is invalid.
    private func restart(at position: ChangePosition) async {
        streams.move(to: position)
        for subscriber in streams.subscribers() { subscriber.finish(.unavailable) }
    }

    /// Parts in which tokens are checked at most once, before anything is sent.
    private static func parts(of changes: [Change]) -> [ArraySlice<Change>] {
        let logins = changes.indices.filter { $0 > 0 && loginChanges.contains(changes[$0].kind) }
        let starts = changes.isEmpty ? [] : [0] + logins
        return zip(starts, starts.dropFirst() + [changes.endIndex]).map { changes[$0..<$1] }
    }

    private func send(_ changes: ArraySlice<Change>) async {
        guard let first = changes.first, let last = changes.last else { return }
        let start = NIODeadline.now()
        let live = LiveSubscriptions(streams.advance(to: last, with: RecipientFilter(of: changes)))
        if Self.loginChanges.contains(first.kind) { await checkTokens(after: first) }
        do {
            if !live.all.isEmpty { try await send(changes, to: live, since: start) }
        } catch {
            // A shutdown has a reason of its own.
            guard !Task.isCancelled else { return }
            // They connect again and continue where they stopped.
            await live.all.map(\.subscriber).finishAndWait(.unavailable)
            logger.error("cannot send events", metadata: ["error": "\(error)"])
        }
        streams.completeAdvance()
        if !live.all.isEmpty, log.sequence > last.sequence { await rest(since: start) }
    }

    private func send(
        _ changes: ArraySlice<Change>, to live: LiveSubscriptions, since start: NIODeadline
    ) async throws {
        let epoch = streams.position.epoch
        let recipientsOfChanges = try await missed.streams.recipients(
            of: Array(changes), among: SubscribedAccounts(live.all))
        var (batch, start) = (EventBatch(), start)
        for recipients in recipientsOfChanges {
            let (change, receiving) = (recipients.change, live.receiving(recipients))
            let position = ChangePosition(epoch: epoch, sequence: change.sequence)
            for event in StreamEventType.allCases {
                guard let subscriptions = receiving[event] else { continue }
                batch.add(event, at: position, try await payloads.groups(of: event, change, for: subscriptions))
            }
            guard batch.isFull else { continue }
            await batch.send()
            batch = EventBatch()
            if change.sequence != changes.last?.sequence { start = await rest(since: start) }
        }
        await batch.send()
    }

    /// Leaves time to requests. Meanwhile changes accumulate, and many of them cost little more than one.
    /// - Returns: The end of the rest.
    @discardableResult
    private func rest(since start: NIODeadline) async -> NIODeadline {
        let time = min((NIODeadline.now() - start) * Self.restFactor, Self.maximumRest)
        // Fails only if the task is cancelled.
        try? await Task.sleep(for: .nanoseconds(time.nanoseconds))
        return .now()
    }

    /// Ends the streams of tokens that are no longer valid.
    private func checkTokens(after change: Change) async {
        let affected = streams.subscribers { subscriber in
            subscriber.token != nil && (change.kind == .imported || subscriber.account == change.account)
        }
        do {
            for subscriber in try await replay.access.invalid(affected) { subscriber.finish(.unauthorized) }
        } catch {
            // The tokens are checked when the clients connect again.
            for subscriber in affected { subscriber.finish(.unavailable) }
        }
    }
}

/// A payload, and the subscriptions that receive it.
struct PayloadGroup: Sendable {
    let data: [UInt8]
    let subscriptions: [StreamSubscription]
}

/// A subscription that receives changes from the publisher.
struct LiveSubscription: Sendable {
    let subscription: StreamSubscription
    /// It receives the changes after this sequence number.
    let start: Int64
}

/// The live subscriptions that some changes may reach. Subscriptions of one account to one stream receive the same events.
struct LiveSubscriptions: Sendable {
    private struct Reader: Hashable {
        let stream: StreamName
        let account: Int64?
    }

    let all: [StreamSubscription]
    private let groups: [Reader: [LiveSubscription]]

    init(_ live: [LiveSubscription]) {
        all = live.map(\.subscription)
        groups = Dictionary(grouping: live) {
            Reader(stream: $0.subscription.stream, account: $0.subscription.subscriber.account)
        }
    }

    /// The events of a change, and the subscriptions that receive them.
    func receiving(_ recipients: StreamRecipients) -> [StreamEventType: [StreamSubscription]] {
        var receiving: [StreamEventType: [StreamSubscription]] = [:]
        for (reader, live) in groups {
            for event in recipients.events(on: reader.stream, for: reader.account) {
                receiving[event, default: []] += live.lazy
                    .filter { recipients.change.sequence > $0.start && $0.subscription.subscriber.mayReceive(event) }
                    .map(\.subscription)
            }
        }
        return receiving.filter { !$0.value.isEmpty }
    }
}
