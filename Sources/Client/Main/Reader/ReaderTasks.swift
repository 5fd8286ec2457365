import FeedTerminal

/// The tasks of the reader in the background, so that no key waits for the disk or the network.
struct ReaderTasks: Sendable {
    private struct Queue<Element: Sendable>: Sendable {
        let stream: AsyncStream<Element>
        let input: AsyncStream<Element>.Continuation

        /// - Parameter limit: Of more elements, only the newest are kept.
        init(limit: Int = .max) {
            (stream, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
        }
    }

    /// The time that the end waits for what is being sent. What takes longer stays in the outbox.
    private static let patience = Duration.seconds(3)

    /// Actions happen in the order in which they were asked for.
    private let actions = Queue<ReaderEffect>()
    private let stored = Queue<ReaderWork>()
    /// Ends when everything has been sent.
    private let unsent = Queue<Void>()
    private let sources = Queue<ReaderSource>(limit: 1)
    /// Loads of the outbox happen one after the other, so that the last one shows what is there now.
    private let outbox = Queue<ReaderEffect>(limit: 1)
    /// Pictures that are no longer on the screen are not loaded, so that the visible ones do not wait for them.
    private let previews = Queue<ReaderEffect>(limit: 4)

    /// Performs the effects that `body` hands over, without letting it wait. Afterwards, actions are stored, so that nothing
    /// is lost, and sent if that is soon done; everything else is cancelled.
    func perform<Value: Sendable>(
        with worker: ReaderActions, _ body: (_ perform: (ReaderEffect) -> Void) async -> Value
    ) async -> Value {
        async let storing: Void = store(with: worker)
        let value = await withDiscardingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { await run(worker) }
            let value = await body { effect in
                if !take(effect) { group.addTask { await worker.perform(effect) } }
            }
            actions.input.finish()
            await waitUntilSent()
            return value
        }
        await storing
        return value
    }

    private func waitUntilSent() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in unsent.stream {} }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Returns: Whether the effect waits for its turn. All others are performed at once.
    private func take(_ effect: ReaderEffect) -> Bool {
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

    private func store(with worker: ReaderActions) async {
        await worker.store(actions.stream) { stored.input.yield($0) }
        stored.input.finish()
    }

    private func send(with worker: ReaderActions) async {
        for await work in stored.stream { await worker.send(work) }
        unsent.input.finish()
    }

    /// Does everything else, until the task is cancelled.
    private func run(_ worker: ReaderActions) async {
        let loader = worker.loader
        let streams = ReaderStreams(loader: loader)
        await withDiscardingTaskGroup { group in
            group.addTask { await send(with: worker) }
            group.addTask { for await effect in outbox.stream { await worker.perform(effect) } }
            group.addTask { for await effect in previews.stream { await worker.perform(effect) } }
            group.addTask { await streams.follow(sources.stream) }
            group.addTask { await streams.follow() }
            group.addTask { await streams.observeConnection() }
            group.addTask { await streams.refresh() }
            group.addTask { await loader.loadChoices() }
            group.addTask { await loader.loadDefaults() }
        }
    }
}

extension ReaderEvent {
    /// The message to print even if the event comes too late to be shown.
    var lastWords: String? {
        switch self {
        case .notice(let text): text
        // Its text could not be stored.
        case .form(let form): "Not sent:\n" + form.text.text
        default: nil
        }
    }
}
