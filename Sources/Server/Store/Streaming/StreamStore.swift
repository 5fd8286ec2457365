package import FeedCore

/// Finds out who receives the changes of the log, and reads the change feed, in the database.
package struct StreamStore: Sendable {
    /// The maximum number of changes per query.
    private static let maximumChanges = 100
    /// The maximum number of accounts per query.
    private static let maximumAccounts = 1000
    /// The maximum number of pairs of a change and an account per query, which takes some milliseconds.
    private static let maximumPairs = 4000

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The part of the log that can be replayed.
    package func window() async throws -> ChangeWindow { try await database.read { try $0.changeWindow() } }

    /// A page of the change feed of an account.
    /// - Parameters:
    ///   - cursor: Where the account continues; `nil` for the end of the log.
    ///   - limit: The maximum number of entries.
    ///   - maximumRows: The maximum number of rows of the log that are examined.
    package func feed(
        since cursor: ChangeCursor?, limit: Int, maximumRows: Int, for account: Int64
    ) async throws -> ChangeFeedPage {
        let reader = ChangeFeedReader(
            account: account, limit: limit, maximumRows: maximumRows, now: database.clock.now())
        return try await database.read { try reader.page(since: cursor, in: $0) }
    }

    /// The recipients of changes under the current relationships, in the order of the changes. Changes that reach nobody
    /// are part of the result.
    ///
    /// The number of queries depends on the numbers of changes and readers, never on one reader: live streams call it
    /// with one change and all readers, a replay with many changes and one reader.
    package func recipients(
        of changes: [Change], among readers: SubscribedAccounts
    ) async throws -> [StreamRecipients] {
        var allRecipients: [StreamRecipients] = []
        let parts = readers.parts(of: Self.maximumAccounts)
        let size = parts.map(\.accounts.count).max() ?? 0
        let maximum = min(max(1, Self.maximumPairs / max(1, size)), Self.maximumChanges)
        for some in changes.chunks(of: maximum) { allRecipients += try await recipients(of: Array(some), in: parts) }
        return allRecipients
    }

    private func recipients(of changes: [Change], in parts: [SubscribedAccounts]) async throws -> [StreamRecipients] {
        var list = RecipientList(changes)
        guard list.reachesAnyone else { return list.recipients }
        let now = database.clock.now()
        for (index, readers) in parts.enumerated() {
            let query = RecipientQuery(
                statuses: list.statuses, deletions: list.deletions, readers: readers, now: now)
            let (subjects, matches) = try await database.read { db in
                try (index == 0 ? query.subjects(in: db) : [:], query.matches(in: db))
            }
            list.add(subjects, matches)
        }
        return list.recipients
    }
}

/// Collects the recipients of some changes as the results of queries arrive.
private struct RecipientList {
    private(set) var recipients: [StreamRecipients]
    /// The positions of the changes that concern a status, by its id.
    private var positions: [Int64: [Int]] = [:]
    /// The positions of the deletions, by sequence number.
    private var deleted: [Int64: Int] = [:]

    var statuses: [Int64] { positions.keys.sorted() }
    var deletions: [Int64] { deleted.keys.sorted() }
    /// Whether a query is needed.
    var reachesAnyone: Bool { !positions.isEmpty || !deleted.isEmpty }

    init(_ changes: [Change]) {
        recipients = changes.map(StreamRecipients.init)
        for (index, change) in changes.enumerated() {
            let audiences = StreamRouting.entries(for: change.kind).map(\.audience)
            if audiences.contains(.couldSee) {
                deleted[change.sequence] = index
            } else if let status = change.subject, audiences.contains(where: { $0 != .account }) {
                positions[status, default: []].append(index)
            }
        }
    }

    mutating func add(_ subjects: [Int64: StreamRecipients.Subject], _ matches: [RecipientQuery.Match]) {
        for (status, subject) in subjects {
            for index in positions[status] ?? [] { recipients[index].subject = subject }
        }
        for match in matches { add(match) }
    }

    private mutating func add(_ match: RecipientQuery.Match) {
        if match.reason == .witness {
            if let index = deleted[match.subject] { recipients[index].witnesses.insert(match.reader) }
            return
        }
        for index in positions[match.subject] ?? [] {
            switch match.reason {
            case .home: recipients[index].home.insert(match.reader)
            case .listed: recipients[index].listed.insert(match.reader)
            case .list: recipients[index].lists.insert(match.reader)
            case .participant: recipients[index].participants.insert(match.reader)
            case .witness: break
            }
        }
    }
}

extension SubscribedAccounts {
    /// Parts with a limited number of accounts; at least one part, even without accounts.
    fileprivate func parts(of size: Int) -> [SubscribedAccounts] {
        let parts = accounts.sorted().chunks(of: size).map { readers(among: Set($0)) }
        return parts.isEmpty ? [SubscribedAccounts()] : parts
    }

    private func readers(among accounts: Set<Int64>) -> SubscribedAccounts {
        var part = SubscribedAccounts()
        part.home = home.intersection(accounts)
        part.listed = listed.intersection(accounts)
        part.direct = direct.intersection(accounts)
        part.lists = lists.filter { accounts.contains($0.value) }
        return part
    }
}
