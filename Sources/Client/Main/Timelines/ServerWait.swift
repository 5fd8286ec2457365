import FeedTerminal
import Synchronization

/// The wait for the first statuses of a server, which a terminal announces when it takes a moment. Either the server is
/// in time, or the wait ends and something else is shown instead; never both.
final class ServerWait: Sendable {
    /// The time after which the wait is announced.
    static let announcement = Duration.milliseconds(300)
    /// The time after which stored statuses are shown instead.
    static let limit = Duration.seconds(2)
    /// The further time in which late statuses are stored, for the next time.
    static let patience = Duration.seconds(3)

    private enum State { case waiting, inTime, givenUp }

    private let state = Mutex(State.waiting)

    /// Whether something else is shown.
    var isGivenUp: Bool { state.withLock { $0 == .givenUp } }

    /// The server has answered, so the announcement disappears.
    /// - Returns: Whether it is in time.
    func answered() -> Bool { end(.inTime) }

    /// Ends the wait unless the server has answered.
    /// - Returns: Whether something else is to be shown.
    @discardableResult func giveUp() -> Bool { end(.givenUp) }

    /// Announces the wait, and ends it at its limit.
    /// - Parameters:
    ///   - text: The announcement.
    ///   - isLimited: Whether there is something else to show. Otherwise, only the cancellation of the task ends the wait.
    /// - Throws: `CancellationError`; also after the server has answered, but not before the task is cancelled.
    func run(announcing text: String, isLimited: Bool) async throws {
        try await Task.sleep(for: Self.announcement)
        state.withLock { if $0 == .waiting { StandardError.announce(text) } }
        if isLimited {
            try await Task.sleep(for: Self.limit - Self.announcement)
            if giveUp() { return }
        }
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    private func end(_ result: State) -> Bool {
        state.withLock { state in
            if state == .waiting {
                StandardError.withdraw()
                state = result
            }
            return state == result
        }
    }
}
