/// Where a download of a queue is. Pure: it says what has to be done.
enum DownloadPhase: Sendable, Equatable {
    case waiting, running, paused, ended
    /// It was told to stop and has not yet; then it rests, starts again, or is over.
    case stopping(Next)

    enum Next: Sendable { case rest, again, over }

    enum Action: Sendable, Equatable { case nothing, join, leave, stop, end }

    mutating func pause() -> Action {
        switch self {
        case .waiting: become(.paused, .leave)
        case .running: become(.stopping(.rest), .stop)
        case .stopping(.again): become(.stopping(.rest), .nothing)
        case .paused, .ended, .stopping: .nothing
        }
    }

    mutating func resume() -> Action {
        switch self {
        case .paused: become(.waiting, .join)
        case .stopping(.rest): become(.stopping(.again), .nothing)
        case .waiting, .running, .ended, .stopping: .nothing
        }
    }

    mutating func cancel() -> Action {
        switch self {
        case .waiting, .paused: become(.ended, .end)
        case .running: become(.stopping(.over), .stop)
        case .stopping: become(.stopping(.over), .nothing)
        case .ended: .nothing
        }
    }

    mutating func start() { self = .running }

    /// Its run is over.
    /// - Parameter wasStopped: Whether it ended because it was told to; a result is one however late.
    mutating func stopped(_ wasStopped: Bool) -> Action {
        switch self {
        case .stopping(.rest) where wasStopped: become(.paused, .leave)
        case .stopping(.again) where wasStopped: become(.waiting, .join)
        default: become(.ended, .end)
        }
    }

    private mutating func become(_ phase: DownloadPhase, _ action: Action) -> Action {
        self = phase
        return action
    }
}
