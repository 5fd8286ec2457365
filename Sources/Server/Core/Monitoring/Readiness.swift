import Synchronization

/// Whether the server can store data, from a write that is repeated at most once a second.
package final class Readiness: Sendable {
    private let clock: WallClock
    private let probe: @Sendable () async throws -> Void
    private let state: Mutex<ReadinessState>

    /// - Parameters:
    ///   - clock: Measures the age of a result.
    ///   - probe: Writes to the database, and throws the reason if this fails.
    package init(clock: WallClock, probe: @escaping @Sendable () async throws -> Void = {}) {
        self.clock = clock
        self.probe = probe
        state = Mutex(ReadinessState())
    }

    /// Makes all further checks fail, because the server is about to stop accepting connections.
    package func stop() { state.withLock { $0.isStopping = true } }

    /// - Returns: The reason why the server is not ready; `nil` if it is.
    package func problem() async -> FeedError? {
        switch state.withLock({ $0.begin(now: clock.now()) }) {
        case .known(let problem): return problem
        case .probe: break
        }
        var problem: FeedError?
        do {
            try await probe()
        } catch let error as FeedError {
            problem = error
        } catch {
            problem = ReadinessState.unavailable
        }
        return state.withLock { $0.finish(problem, now: clock.now()) }
    }
}

/// Decides when to probe. Times are milliseconds.
package struct ReadinessState: Sendable {
    package enum Action: Sendable {
        /// The answer: the reason why the server is not ready; `nil` if it is.
        case known(FeedError?)
        /// The caller probes and calls ``ReadinessState/finish(_:now:)``.
        case probe
    }

    /// The time for which a result is valid.
    private static let validity: Int64 = 1000
    /// The time after which a probe without a result counts as failed.
    private static let patience: Int64 = 5000

    static let stopping = FeedError(.unavailable, "The server is shutting down")
    static let unavailable = FeedError(
        .unavailable, "The database is not available", hint: "The log of the server has the reason.")
    static let silent = FeedError(
        .unavailable, "The database does not respond", hint: "Check the disk and the database server.")

    package var isStopping = false
    private var result: (problem: FeedError?, at: Int64)?
    private var probingSince: Int64?

    package init() {}

    package mutating func begin(now: Int64) -> Action {
        if isStopping { return .known(Self.stopping) }
        // A clock that was set back makes the result expire.
        if let result, result.at <= now, now - result.at < Self.validity { return .known(result.problem) }
        if let probingSince {
            if probingSince > now || now - probingSince >= Self.patience { return .known(Self.silent) }
            if let result { return .known(result.problem) }
            return .probe
        }
        probingSince = now
        return .probe
    }

    /// Records the outcome of a probe.
    /// - Returns: The answer.
    package mutating func finish(_ problem: FeedError?, now: Int64) -> FeedError? {
        probingSince = nil
        result = (problem, now)
        return isStopping ? Self.stopping : problem
    }
}
