import FeedCore
package import Logging
import NIOCore
import Synchronization

/// Follows the change log and sends its events to the open streams: one query per event finds all recipients.
///
/// It never waits for a subscriber. What an event loop has not taken yet is bounded, because the hub waits for the event
/// loops themselves.
package struct StreamHub: Sendable {
    /// The maximum number of changes read at a time.
    private static let batch = 256
    /// The kinds of changes after which tokens may be invalid.
    private static let loginChanges: Set<Change.Kind> = [
        .passwordChanged, .tokenRevoked, .accountSuspended, .accountRemoved, .signUpRejected, .imported,
    ]

    private let services: Services
    private let logger: Logger
    private let payloads: StreamPayloads
    private let replay: StreamReplay

    private var streams: StreamRegistry { services.streams }
    private var log: LogPosition { services.log }

    package init(_ services: Services, logger: Logger) {
        self.services = services
        self.logger = logger
        payloads = StreamPayloads(services: services)
        replay = StreamReplay(services: services, payloads: payloads, logger: logger)
    }

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
            } catch {
                guard !Task.isCancelled else { return }
                logger.error("cannot read the change log for streams", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Waits until the log advances or the task is cancelled.
    private func wait(while state: LogPosition.State) async {
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        await withTaskCancellationHandler {
            await log.wait(while: state) { end in
                stop.withLock { $0 = end }
                if Task.isCancelled { end() }
            }
        } onCancel: {
            stop.withLock { $0 }?()
        }
        // During a shutdown, no request waits for the hub.
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
            for change in changes {
                await send(change)
                // The change may not have been sent, so the next one must not be.
                guard !Task.isCancelled else { return }
            }
            if changes.isEmpty { streams.move(to: ChangePosition(epoch: epoch, sequence: last)) }
        }
    }

    /// Changes up to a position that the log has reached, so that nothing cached is older than they are.
    private func changes(after position: Int64, upTo last: Int64) async throws -> [Change] {
        if let known = log.rows(after: position, limit: Self.batch) { return known }
        let read = try await services.stores.changes.changes(after: position, limit: Self.batch)
        return read.filter { $0.sequence <= last }
    }

    /// The database has lost its newest changes. Clients connect again, and are told that their position is invalid.
    private func restart(at position: ChangePosition) async {
        streams.move(to: position)
        for subscriber in streams.subscribers() { subscriber.finish(.unavailable) }
    }

    private func send(_ change: Change) async {
        let entries = StreamTable.entries(for: change.kind)
        let isPersonal = entries.allSatisfy { $0.audience == .account || $0.audience == .participant }
        let subscriptions = streams.advance(
            to: change, reaching: entries.reduce(into: []) { $0.formUnion($1.groups) },
            of: isPersonal ? change.account ?? 0 : nil)
        if Self.loginChanges.contains(change.kind) { await checkTokens(after: change) }
        do {
            if !subscriptions.isEmpty { try await send(change, to: subscriptions) }
        } catch {
            // A shutdown has a reason of its own.
            guard !Task.isCancelled else { return }
            // They connect again and continue where they stopped.
            for subscription in subscriptions { await subscription.subscriber.finished(.unavailable) }
            logger.error("cannot send an event", metadata: ["error": "\(error)"])
        }
        streams.reach()
    }

    private func send(_ change: Change, to subscriptions: [StreamSubscription]) async throws {
        let readers = StreamReaders(subscriptions)
        guard let recipients = try await services.stores.streams.recipients(of: [change], among: readers).first
        else { return }
        let position = ChangePosition(epoch: streams.position.epoch, sequence: change.sequence)
        var receiving: [StreamEvent: [StreamSubscription]] = [:]
        for subscription in subscriptions {
            for event in recipients.events(on: subscription.stream, for: subscription.subscriber.account)
            where subscription.subscriber.mayReceive(event) {
                receiving[event, default: []].append(subscription)
            }
        }
        var delivery = StreamDelivery(position: position)
        for event in StreamEvent.allCases {
            guard let subscriptions = receiving[event] else { continue }
            for group in try await payloads.groups(of: event, change, for: subscriptions) {
                delivery.add(event, group)
            }
        }
        await delivery.send()
    }

    /// Ends the streams of tokens that are no longer valid.
    private func checkTokens(after change: Change) async {
        let affected = streams.subscribers { subscriber in
            subscriber.token != nil && (change.kind == .imported || subscriber.account == change.account)
        }
        do {
            for subscriber in try await services.invalid(affected) { subscriber.finish(.unauthorized) }
        } catch {
            // The tokens are checked when the clients connect again.
            for subscriber in affected { subscriber.finish(.unavailable) }
        }
    }
}

extension StreamReaders {
    /// The readers of some subscriptions.
    init(_ subscriptions: [StreamSubscription]) {
        self.init()
        for subscription in subscriptions {
            guard let account = subscription.subscriber.account else { continue }
            switch subscription.stream.group {
            case .home: home.insert(account)
            case .public, .hashtag: listed.insert(account)
            case .direct: direct.insert(account)
            case .list: if case .list(let id) = subscription.stream { lists[id] = account }
            case .notifications: break
            }
        }
    }
}
