import FeedTerminal

/// What the reader has done in the background, so that no key waits for the disk or the network.
struct ReaderQueues: Sendable {
    private struct Queue<Element: Sendable>: Sendable {
        let stream: AsyncStream<Element>
        let input: AsyncStream<Element>.Continuation

        /// - Parameter limit: Of more elements, only the newest are kept.
        init(limit: Int = .max) {
            (stream, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
        }
    }

    /// Actions happen in the order in which they were asked for.
    private let actions = Queue<ReaderEffect>()
    private let stored = Queue<ReaderWork>()
    private let sources = Queue<ReaderSource>(limit: 1)
    /// Loads of the outbox happen one after the other, so that the last one shows what is there now.
    private let outbox = Queue<ReaderEffect>(limit: 1)
    /// Pictures that are no longer on the screen are not loaded, so that the visible ones do not wait for them.
    private let previews = Queue<ReaderEffect>(limit: 4)

    /// - Returns: Whether the effect waits for its turn. All others are performed at once.
    func take(_ effect: ReaderEffect) -> Bool {
        switch effect {
        case .react, .post, .vote, .delete, .follow: actions.input.yield(effect)
        case .load(.outbox), .resume(.outbox): outbox.input.yield(effect)
        case .preview: previews.input.yield(effect)
        default: return false
        }
        return true
    }

    /// Must be called when a source is opened.
    func open(_ source: ReaderSource) { sources.input.yield(source) }

    /// Stores actions, until ``finish()`` and beyond the end of ``run(_:)``: what was asked for is not lost.
    func store(with worker: ReaderActions) async { await worker.store(actions.stream) { stored.input.yield($0) } }

    func finish() { actions.input.finish() }

    /// Does everything else, until the task is cancelled.
    func run(_ worker: ReaderActions) async {
        let loader = worker.loader
        await withDiscardingTaskGroup { group in
            group.addTask { for await work in stored.stream { await worker.send(work) } }
            group.addTask { for await effect in outbox.stream { await worker.perform(effect) } }
            group.addTask { for await effect in previews.stream { await worker.perform(effect) } }
            group.addTask { await loader.follow(sources.stream) }
            group.addTask { await loader.follow() }
            group.addTask { await loader.refresh() }
            group.addTask { await loader.loadChoices() }
            group.addTask { await loader.loadDefaults() }
        }
    }
}
