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
    let streams: OpenStreams
    let access: StreamAccess
    let missed: MissedEvents
    /// Whether commands that ask for missed events are counted.
    let limitsReplays: Bool
    let clock: WallClock
    let logger: Logger

    /// Performs a job and reports its end.
    func run(_ job: OpenStreams.Job) async {
        let problem = await subscribe(job)
        job.subscriber.eventLoop.execute { job.done(problem) }
    }

    /// - Returns: Why the stream is refused.
    private func subscribe(_ job: OpenStreams.Job) async -> Problem? {
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
            return Problem(error)
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
            subscription.send(.resync, StreamPayloads.empty, position: position)
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
