import FeedAPI
import FeedClientKit
import FeedTerminal

/// The streams that bring what is new to the reader.
struct ReaderStreams: Sendable {
    /// The time after which a stream that has failed is opened again.
    private static let pause = Duration.seconds(30)
    private static let interval = Duration.seconds(60)

    let loader: ReaderLoader

    /// Shows what the user's own stream brings, until the task is cancelled: the home timeline and notifications.
    func follow() async {
        guard let login = try? loader.global.session().login, !login.isClassic else { return }
        await follow(.home)
    }

    /// Shows what the stream of the open source brings, if it has one, until the task is cancelled.
    /// - Parameter sources: The sources that are opened.
    func follow(_ sources: AsyncStream<ReaderSource>) async {
        var iterator = sources.makeAsyncIterator()
        var next = await iterator.next()
        while let source = next {
            next = await withTaskGroup(of: Void.self) { group in
                if source.hasStreamOfItsOwn { group.addTask { await follow(source) } }
                defer { group.cancelAll() }
                return await iterator.next()
            }
        }
    }

    /// Asks the server again from time to time: not everything arrives in a stream, and times grow older.
    func refresh() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            loader.send(.refresh)
        }
    }

    /// Says when the server can be reached again, until the task is cancelled: a stream may be the first to get there.
    /// - Parameter pause: The time after which a client that could not be made is made again.
    func observeConnection(pause: Duration = Self.pause) async {
        while !Task.isCancelled {
            try? await loader.global.use { client in
                for await state in client.connection.changes where state == .online { loader.send(.offline(nil)) }
            }
            try? await Task.sleep(for: pause)
        }
    }

    private func follow(_ source: ReaderSource) async {
        var isFirst = true
        while !Task.isCancelled {
            // Loading the source reports a missing network; some servers have no stream for visitors.
            try? await loader.global.use { client in
                guard let stream = try await stream(of: source, client) else { return }
                for try await event in client.events(of: stream) {
                    await take(event, source, isFirst: isFirst)
                    isFirst = false
                }
            }
            isFirst = false
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func stream(of source: ReaderSource, _ client: FeedClient) async throws -> StreamName? {
        if source == .conversations { return .direct }
        guard let timeline = source.timeline else { return nil }
        return try await client.stream(of: timeline)
    }

    private func take(_ event: StreamEvent, _ source: ReaderSource, isFirst: Bool) async {
        switch event.content {
        case .update(let entry):
            let list = source.timeline.map { loader.entries([entry], in: $0) } ?? []
            if !list.isEmpty { loader.send(.arrived(source, list)) }
        case .notification(let entry):
            if let item = loader.items.item(entry) { loader.send(.arrived(.notifications, [item])) }
        case .delete(let id): loader.send(.deleted(id))
        case .statusUpdate(let entry): loader.change(entry, in: source)
        // The reader has just loaded what the stream begins with.
        case .resync: if !isFirst { await loader.load(source) }
        case .conversation: await loader.load(.conversations)
        case .filtersChanged, .other: break
        }
    }
}

extension ReaderSource {
    /// Whether what arrives is not in the stream of the user.
    fileprivate var hasStreamOfItsOwn: Bool {
        switch self {
        case .local, .public, .tag, .list, .conversations: true
        case .home, .notifications, .bookmarks, .favourites, .outbox, .profile, .search: false
        }
    }
}
