import Logging
import Synchronization

/// The level of all loggers, which can change while the server runs.
final class LogLevel: Sendable {
    static let shared = LogLevel()

    private static let levels = Logger.Level.allCases

    private let index = Atomic(0)

    var current: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.levels.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
    }
}
