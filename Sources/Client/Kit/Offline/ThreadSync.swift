import AsyncHTTPClient
import FeedAPI

extension TimelineSync {
    /// The maximum number of threads that are fetched at once.
    private static let maximumThreads = 40
    /// The number of statuses of a thread that are stored in each direction; the nearest ones.
    private static let maximumAncestors = 100
    private static let maximumReplies = 400
    /// The number of mentions and conversations whose threads are fetched.
    private static let maximumMentions = 20
    /// The time in milliseconds before a thread is asked for again: a status may count replies that nobody may see.
    private static let threadAge: Int64 = 3_600_000

    /// Fetches the threads of the newest mentions, conversations and statuses of the home timeline, as far as they are not
    /// stored.
    /// - Parameters:
    ///   - home: The newest statuses of the home timeline, the newest first.
    ///   - hasNews: Whether anything has been fetched since the last call.
    /// - Throws: ``FeedClientError``. What was fetched before the error remains stored.
    func syncThreads(home: [TimelineEntry], hasNews: Bool) async throws {
        let newest = home.first.flatMap { StatusKey($0.status.id) }
        let isDone = try await store.threadPosition().map { position in newest.map { $0 <= position } ?? true }
        guard hasNews || isDone != true else { return }
        do {
            let direct = try await storeDirectStatuses()
            for status in try await store.withIncompleteThread(direct + home.map(\.inner)).prefix(Self.maximumThreads) {
                try await storeThread(of: status.id)
            }
            if let newest { try await store.setThreadPosition(newest) }
        } catch {
            try await store.setThreadPosition(nil)
            throw error
        }
    }

    /// Stores the statuses of mentions and conversations, which need not be in any timeline.
    private func storeDirectStatuses() async throws -> [Entity.Status] {
        let mentions = await client.keptList(.notifications)?.items.filter { $0.value.type == "mention" } ?? []
        let conversations = await client.keptList(.conversations)?.items ?? []
        let entries =
            mentions.prefix(Self.maximumMentions).compactMap { Self.entry($0.value.status, "status", of: $0.json) }
            + conversations.prefix(Self.maximumMentions).compactMap {
                Self.entry($0.value.last_status, "last_status", of: $0.json)
            }
        var missing: [TimelineEntry] = []
        for entry in entries where try await store.status(entry.status.id) == nil { missing.append(entry) }
        _ = try await store.add(missing, now: now())
        return entries.map(\.status)
    }

    private static func entry(_ status: Entity.Status?, _ member: String, of json: [UInt8]) -> TimelineEntry? {
        guard let status, let json = JSONText.member(member, of: json) else { return nil }
        return TimelineEntry(status: status, json: json)
    }

    /// A thread that is gone does not end the synchronization.
    private func storeThread(of id: String) async throws {
        let asked = await client.transport.cache?.confirmedAt(client.contextRequest(id).url) ?? 0
        guard !(0..<Self.threadAge).contains(now().subtractingSaturating(asked)) else { return }
        do {
            let (ancestors, descendants) = try await client.context(of: id)
            let entries = ancestors.suffix(Self.maximumAncestors) + descendants.prefix(Self.maximumReplies)
            _ = try await store.add(Array(entries), now: now())
        } catch let error as FeedClientError where error.code == .notFound || error.status == 403 {}
    }
}
