import CoreMetrics
package import FeedCore
package import NIOCore
import Synchronization

/// The open streams of this server, and two positions in the change log: the change that is being sent to them, and the
/// last one that has been handed over completely.
///
/// A subscription is either live, receiving the changes after a position from the publisher, or catching up, while a replay
/// sends it the changes before that.
package final class StreamRegistry: Sendable {
    /// The work of the publisher for a connection after the response head, when the connection has no task of its own.
    struct Job: Sendable {
        let subscriber: StreamSubscriber
        let selection: StreamSelection
        /// Whether a message of a WebSocket asks for it, which no other limit counts.
        var isCommand = false
        /// Called at the end on the event loop of the connection, with the reason why the stream is refused.
        let done: @Sendable (ErrorResponse?) -> Void
    }

    private enum Progress: Sendable {
        /// The number tells apart the replays of a subscription that was removed and added again.
        case catchingUp(UInt64)
        /// The subscription receives the changes after a sequence number.
        case live(StreamSubscription, after: Int64)

        var isLive: Bool { if case .live = self { true } else { false } }
    }

    private struct Entry: Sendable {
        let subscriber: StreamSubscriber
        var streams: [StreamName: Progress] = [:]
    }

    private struct State {
        var position: ChangePosition
        var reached: ChangePosition
        var entries: [UInt64: Entry] = [:]
        var quota = StreamLimiter()
        var replayQuota = ReplayLimiter()
        var lastID: UInt64 = 0
        var isClosing = false
    }

    let timers: HeartbeatTimers
    /// The turns of the replays. One has a turn for each batch of events, and none while its client reads them, so a
    /// client that does not read delays nobody else.
    let replays = ConcurrencyLimiter(.replays)
    /// The maximum time in which a client must read a part of what it has missed.
    let readTimeout: TimeAmount
    let jobs: AsyncStream<Job>
    private let addJob: AsyncStream<Job>.Continuation
    private let log: RecentChanges
    private let state: Mutex<State>
    private let gauge = Gauge(label: MetricName.streams.rawValue)

    /// - Parameters:
    ///   - interval: The time between two comments or pings on an idle stream.
    ///   - readTimeout: The maximum time in which a client must read a part of what it has missed.
    package init(log: RecentChanges, interval: TimeAmount = .seconds(15), readTimeout: TimeAmount = .seconds(30)) {
        self.log = log
        self.readTimeout = readTimeout
        timers = HeartbeatTimers(interval: interval)
        (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
        let position = ChangePosition(epoch: log.epoch, sequence: log.sequence)
        state = Mutex(State(position: position, reached: position))
    }

    /// The number of open streams.
    package var count: Int { state.withLock { $0.quota.count } }

    /// The number of live subscriptions.
    var subscriptionCount: Int {
        state.withLock { state in state.entries.values.reduce(0) { $0 + $1.streams.count(where: \.value.isLive) } }
    }

    /// Whether anybody has a live subscription to a stream.
    func subscribes(to stream: StreamName) -> Bool {
        state.withLock { state in state.entries.values.contains { $0.streams[stream]?.isLive ?? false } }
    }

    /// The position of the change that live subscriptions receive, or have received last.
    var position: ChangePosition { state.withLock { $0.position } }

    /// The position up to which live subscriptions have received everything: the one of the last change, once it has been
    /// handed to the event loops.
    var reached: ChangePosition { state.withLock { $0.reached } }

    /// Whether the server is shutting down.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Counts a new subscriber, which receives nothing yet.
    /// - Throws: ``FeedError`` `.rateLimited` for too many streams, `.unavailable` while the server shuts down.
    func open(
        _ transport: StreamSubscriber.Transport, caller: Caller, token: [UInt8]?, base: String, address: String,
        limits: StreamLimits, on eventLoop: any EventLoop
    ) throws(FeedError) -> StreamSubscriber {
        let owner = StreamLimiter.Owner(account: caller.viewer?.account.id, address: address)
        let (id, count) = try register(owner, limits)
        gauge.record(count)
        let output = StreamBuffer(id: id, streams: self, eventLoop: eventLoop, buffer: StreamQueue())
        let subscriber = StreamSubscriber(
            id: id, caller: caller, token: token, base: base, transport: transport, owner: owner,
            eventLoop: eventLoop, output: .makeBoxSendingValue(output, eventLoop: eventLoop))
        let isClosing = state.withLock { state in
            state.entries[id] = Entry(subscriber: subscriber)
            return state.isClosing
        }
        // The shutdown may have begun since the stream was counted.
        if isClosing { subscriber.finish(.shutdown) }
        return subscriber
    }

    private func register(
        _ owner: StreamLimiter.Owner, _ limits: StreamLimits
    ) throws(FeedError) -> (id: UInt64, count: Int) {
        let result = state.withLock { state in
            Result { () throws(FeedError) in
                guard !state.isClosing else {
                    throw FeedError(
                        .unavailable, "The server is shutting down", hint: "Try again in a few seconds.",
                        retryAfter: 5)
                }
                try state.quota.open(owner, limits)
                state.lastID += 1
                return (id: state.lastID, count: state.quota.count)
            }
        }
        return try result.get()
    }

    /// Removes a subscriber. Further calls have no effect.
    /// - Parameter end: The reason why the server ends the stream; `nil` if the client has left.
    func close(_ id: UInt64, _ end: StreamEnd?) {
        let closed = state.withLock { state -> (entry: Entry, count: Int)? in
            guard let entry = state.entries.removeValue(forKey: id) else { return nil }
            state.quota.close(entry.subscriber.owner)
            return (entry, state.quota.count)
        }
        guard let (entry, count) = closed else { return }
        for progress in entry.streams.values { cancelReplay(progress, of: entry.subscriber.owner) }
        gauge.record(count)
        guard let end, end != .shutdown else { return }
        Counter(label: MetricName.droppedStreams.rawValue, dimensions: [("reason", end.rawValue)]).increment()
    }

    /// Leaves a job to the publisher.
    func add(_ job: Job) { addJob.yield(job) }
}

extension StreamRegistry {
    /// Adds a live subscription.
    /// - Returns: The position after which it receives changes.
    func subscribe(_ subscription: StreamSubscription) -> ChangePosition {
        state.withLock { state in
            var position = state.position
            // The publisher may be behind: what happened before the request is not sent.
            if log.epoch == position.epoch {
                position = ChangePosition(epoch: position.epoch, sequence: max(position.sequence, log.sequence))
            }
            state.entries[subscription.subscriber.id]?.streams[subscription.stream] = .live(
                subscription, after: position.sequence)
            return position
        }
    }

    /// Adds a subscription that is catching up.
    /// - Returns: The number of the replay; `nil` if the subscriber has the subscription already, or is gone.
    /// - Throws: ``FeedError`` `.rateLimited` if the subscriber has too many.
    func reserve(_ subscription: StreamSubscription) throws(FeedError) -> UInt64? {
        let (id, stream) = (subscription.subscriber.id, subscription.stream)
        let result = state.withLock { state in
            Result { () throws(FeedError) -> UInt64? in
                guard let streams = state.entries[id]?.streams, streams[stream] == nil else { return nil }
                guard streams.count < StreamLimits.subscriptions else { throw Self.tooMany }
                state.lastID += 1
                state.entries[id]?.streams[stream] = .catchingUp(state.lastID)
                return state.lastID
            }
        }
        return try result.get()
    }

    /// Counts a replay that a message asks for, until ``endCommandedReplay(of:)``.
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.rateLimited`.
    func beginCommandedReplay(of owner: StreamLimiter.Owner, now: Int64) throws(FeedError) {
        try state.withLock { state in
            Result { () throws(FeedError) in try state.replayQuota.begin(owner, now: now) }
        }.get()
    }

    func endCommandedReplay(of owner: StreamLimiter.Owner) { state.withLock { $0.replayQuota.end(owner) } }

    private static let tooMany = FeedError(
        .rateLimited, "Too many subscriptions",
        hint: "A connection may have \(StreamLimits.subscriptions) of them.")

    /// Ends a replay.
    /// - Parameters:
    ///   - replay: The number of the replay.
    ///   - position: The replay has sent the changes up to this position.
    /// - Returns: Whether the subscription is live now, or has ended; `false` if the replay has to continue.
    func promoteToLive(_ subscription: StreamSubscription, _ replay: UInt64, after position: ChangePosition) -> Bool {
        state.withLock { state in
            let id = subscription.subscriber.id
            guard case .catchingUp(replay) = state.entries[id]?.streams[subscription.stream] else { return true }
            // The publisher may be behind, but must not have passed the position.
            guard state.position.epoch == position.epoch, state.position.sequence <= position.sequence else {
                return false
            }
            state.entries[id]?.streams[subscription.stream] = .live(subscription, after: position.sequence)
            return true
        }
    }

    /// Whether a subscription still exists and is catching up.
    /// - Parameter replay: The number of the replay.
    func isReplaying(_ subscription: StreamSubscription, _ replay: UInt64) -> Bool {
        let progress = state.withLock { $0.entries[subscription.subscriber.id]?.streams[subscription.stream] }
        if case .catchingUp(replay) = progress { return true }
        return false
    }

    func unsubscribe(_ id: UInt64, from stream: StreamName) {
        let removed = state.withLock { state -> (progress: Progress, owner: StreamLimiter.Owner)? in
            guard let owner = state.entries[id]?.subscriber.owner,
                let progress = state.entries[id]?.streams.removeValue(forKey: stream)
            else { return nil }
            return (progress, owner)
        }
        if let removed { cancelReplay(removed.progress, of: removed.owner) }
    }

    /// A replay that waits for its turn would otherwise wait although nobody needs it.
    private func cancelReplay(_ progress: Progress, of owner: StreamLimiter.Owner) {
        if case .catchingUp(let replay) = progress { replays.cancel(owner.rateKey, id: replay) }
    }

    /// Moves to a change that the publisher sends next.
    /// - Returns: The live subscriptions that the changes up to it may reach. They must receive them before the next call.
    func advance(to last: Change, with reach: RecipientFilter) -> [LiveSubscription] {
        state.withLock { state in
            state.position = ChangePosition(epoch: state.position.epoch, sequence: last.sequence)
            guard !reach.groups.isEmpty else { return [] }
            var subscriptions: [LiveSubscription] = []
            for entry in state.entries.values where reach.contains(entry.subscriber.account) {
                for case .live(let subscription, let start) in entry.streams.values
                where last.sequence > start && reach.groups.contains(subscription.stream.group) {
                    subscriptions.append(LiveSubscription(subscription: subscription, start: start))
                }
            }
            return subscriptions
        }
    }

    /// Live subscriptions have received the changes of the last ``advance(to:with:)``.
    func completeAdvance() { state.withLock { $0.reached = $0.position } }

    /// Moves past positions at which there are no changes, or into another epoch.
    func move(to position: ChangePosition) {
        state.withLock { state in
            state.position = position
            state.reached = position
        }
    }

    /// The subscribers that meet a condition.
    func subscribers(where condition: (StreamSubscriber) -> Bool = { _ in true }) -> [StreamSubscriber] {
        state.withLock { $0.entries.values.map(\.subscriber) }.filter(condition)
    }

    /// Refuses further streams and ends all, because the server is shutting down.
    package func shutDown() {
        state.withLock { $0.isClosing = true }
        for subscriber in subscribers() { subscriber.finish(.shutdown) }
    }
}
