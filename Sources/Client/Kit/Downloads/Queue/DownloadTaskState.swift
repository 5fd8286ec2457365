/// The state of a download in a queue. Each transition returns the action to perform.
enum DownloadTaskState: Sendable, Equatable {
    case waiting, running, paused, finished
    /// The download was asked to stop, but is still running.
    case stopping(then: Next)

    enum Next: Sendable { case pause, requeue, finish }

    enum Action: Sendable, Equatable { case nothing, enqueue, dequeue, stop, finish }

    mutating func pause() -> Action {
        switch self {
        case .waiting: transition(to: .paused, .dequeue)
        case .running: transition(to: .stopping(then: .pause), .stop)
        case .stopping(.requeue): transition(to: .stopping(then: .pause), .nothing)
        case .paused, .finished, .stopping: .nothing
        }
    }

    mutating func resume() -> Action {
        switch self {
        case .paused: transition(to: .waiting, .enqueue)
        case .stopping(.pause): transition(to: .stopping(then: .requeue), .nothing)
        case .waiting, .running, .finished, .stopping: .nothing
        }
    }

    mutating func cancel() -> Action {
        switch self {
        case .waiting, .paused: transition(to: .finished, .finish)
        case .running: transition(to: .stopping(then: .finish), .stop)
        case .stopping: transition(to: .stopping(then: .finish), .nothing)
        case .finished: .nothing
        }
    }

    mutating func start() { self = .running }

    /// Records that the download has ended.
    /// - Parameter wasStopped: Whether the download ended because it was asked to stop. `false` if it finished first;
    ///   that result is used.
    mutating func ended(wasStopped: Bool) -> Action {
        switch self {
        case .stopping(.pause) where wasStopped: transition(to: .paused, .dequeue)
        case .stopping(.requeue) where wasStopped: transition(to: .waiting, .enqueue)
        default: transition(to: .finished, .finish)
        }
    }

    private mutating func transition(to state: DownloadTaskState, _ action: Action) -> Action {
        self = state
        return action
    }
}
