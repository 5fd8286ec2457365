import FeedAPI
import Foundation
import GRDB

/// The names that are known of an account's server without asking it, so that the user need not type it.
package struct StoredNames: Sendable, Equatable {
    /// The accounts whose statuses are stored, without `@`, in alphabetical order.
    package var accounts: [String] = []
    /// The hashtags of stored statuses and timelines, without `#`.
    package var tags: [String] = []
    /// The titles of the lists that have been read.
    package var lists: [String] = []

    package init(accounts: [String] = [], tags: [String] = [], lists: [String] = []) {
        (self.accounts, self.tags, self.lists) = (accounts, tags, lists)
    }
}

extension OfflineStore {
    /// The number of statuses whose authors and hashtags are read.
    private static let recentStatuses = 400

    /// The names in the latest stored statuses, and of the stored timelines.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    package func names() async throws -> StoredNames {
        let owner = owner
        let (timelines, statuses) = try await database.read { db in
            let timelines =
                "SELECT timeline.name FROM timeline JOIN owner ON owner.id = timeline.owner WHERE owner.name = ?"
            let statuses = """
                SELECT status.json FROM status JOIN owner ON owner.id = status.owner WHERE owner.name = ?
                ORDER BY status.fetched_at DESC LIMIT \(Self.recentStatuses)
                """
            return (
                try String.fetchAll(db, sql: timelines, arguments: [owner]),
                try Data.fetchAll(db, sql: statuses, arguments: [owner])
            )
        }
        return Self.names(
            timelines, statuses.compactMap { try? JSONDecoder().decode(Entity.Status.self, from: $0) })
    }

    private static func names(_ timelines: [String], _ statuses: [Entity.Status]) -> StoredNames {
        func rest(after prefix: String) -> [String] {
            timelines.filter { $0.utf8.starts(with: prefix.utf8) }
                .compactMap { String($0.utf8.dropFirst(prefix.utf8.count)) }
        }
        let shown = statuses + statuses.compactMap { $0.reblog?.value }
        let mentions = shown.flatMap { $0.mentions.map(\.acct) }
        let tags = shown.flatMap { $0.tags.map { $0.name.lowercased() } } + rest(after: "#")
        return StoredNames(
            accounts: Set(shown.map(\.account.acct) + mentions + rest(after: "@")).sorted(),
            tags: Set(tags).sorted(), lists: rest(after: "list:").sorted())
    }

    /// The ids of stored statuses with an ending, also of those that were boosted.
    /// - Parameter count: The maximum number.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    package func ids(endingIn ending: String, count: Int) async throws -> [String] {
        let owner = owner
        return try await database.read { db in
            let sql = """
                SELECT DISTINCT COALESCE(status.boosted, status.key) AS shown
                FROM status JOIN owner ON owner.id = status.owner
                WHERE owner.name = ? AND substr(shown, -?) = ? LIMIT ?
                """
            let keys = try String.fetchAll(db, sql: sql, arguments: [owner, ending.utf8.count, ending, count])
            return keys.map { StatusKey(text: $0).id }
        }
    }
}
