import FeedAPI
import FeedClientKit
import FeedTerminal

extension ReaderLoader {
    /// The time after which a stream that has failed is opened again.
    private static let pause = Duration.seconds(30)
    private static let interval = Duration.seconds(60)

    /// Shows new statuses and notifications as they arrive, and edits and deletions, until the task is cancelled.
    func follow() async {
        guard let login = try? global.session().login, !login.isClassic else { return }
        while !Task.isCancelled {
            await reporting {
                try await global.use { client in
                    var isFirst = true
                    for try await event in client.events(of: .user) {
                        await take(event, isFirst: isFirst)
                        isFirst = false
                    }
                }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Asks the server again from time to time: not everything arrives in a stream, and times grow older.
    func refresh() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            send(.refresh)
        }
    }

    private func take(_ event: StreamEvent, isFirst: Bool) async {
        switch event.content {
        case .update(let entry):
            let list = entries([entry], in: .home)
            if !list.isEmpty { send(.arrived(.home, list)) }
        case .notification(let entry): send(.arrived(.notifications, [items.item(entry)]))
        case .delete(let id): send(.deleted(id))
        case .statusUpdate: await load(.home)
        // The reader has just loaded what the stream begins with.
        case .resync: if !isFirst { await load(.home) }
        case .conversation, .filtersChanged, .other: break
        }
    }
}
