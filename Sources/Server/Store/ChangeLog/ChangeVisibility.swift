import FeedCore

/// The content of some changes, as far as an account may see it.
struct ChangeVisibility {
    private let account: Int64
    /// The statuses as they are now, by the id of the status or boost.
    private let statuses: [Int64: Status]
    /// The sequence numbers of rows about statuses that the account could see.
    private let deletions: Set<Int64>
    private let notifications: Set<Int64>
    /// The conversations that end with a status, by its id.
    private let conversations: [Int64: Int64]

    init(_ rows: [Change], for account: Int64, now: Int64, in db: Database) throws {
        func subjects(_ events: Set<StreamEventType>, isOwn: Bool = false) -> [Int64] {
            rows.filter { row in
                StreamRouting.feedEvent(of: row.kind).map(events.contains) ?? false
                    && (!isOwn || row.account == account)
            }.compactMap(\.subject)
        }
        self.account = account
        let condition = StatusVisibility.listCondition(viewer: account, now: now)
        statuses = try StatusStore.find(
            db, ids: subjects([.update, .statusUpdate]), for: account, where: condition)
        deletions = try Self.deletions(rows, account, now, in: db)
        notifications = try NotificationReader(account: account, now: now).visible(
            subjects([.notification], isOwn: true), in: db)
        conversations = try Self.conversations(subjects([.conversation], isOwn: true), of: account, in: db)
    }

    private static func deletions(
        _ rows: [Change], _ account: Int64, _ now: Int64, in db: Database
    ) throws -> Set<Int64> {
        var readers = SubscribedAccounts()
        readers.home = [account]
        let deleted = rows.filter { StreamRouting.feedEvent(of: $0.kind) == .delete }.map(\.sequence)
        let query = RecipientQuery(deletions: deleted, readers: readers, now: now)
        return Set(try query.matches(in: db).map(\.subject))
    }

    private static func conversations(
        _ statuses: [Int64], of account: Int64, in db: Database
    ) throws -> [Int64: Int64] {
        guard !statuses.isEmpty else { return [:] }
        let query: SQL = """
            SELECT last_status_id, id FROM conversation
            WHERE account_id = \(account) AND last_status_id IN (\(ids: statuses)) AND is_hidden = 0
            """
        return Dictionary(try db.fetchAll(query).map { try ($0[0], $0[1]) }) { first, _ in first }
    }

    /// The entry for a row; `nil` if the account may not see it.
    func entry(for row: Change, at position: ChangePosition) -> ChangeFeedPage.Entry? {
        guard let event = StreamRouting.feedEvent(of: row.kind) else { return nil }
        var entry = ChangeFeedPage.Entry(position: position, event: event, id: row.subject, at: row.at)
        switch event {
        case .update, .statusUpdate:
            guard let status = row.subject.flatMap({ statuses[$0] }) else { return nil }
            entry.status = status
        case .delete: guard deletions.contains(row.sequence) else { return nil }
        case .notification:
            guard row.account == account, row.subject.map(notifications.contains) ?? false else { return nil }
        case .conversation:
            guard row.account == account, let id = row.subject.flatMap({ conversations[$0] }) else { return nil }
            entry.id = id
        case .filtersChanged: guard row.account == account else { return nil }
        case .resync: return nil
        }
        return entry
    }
}

/// Reads a page of an account's change feed: every status that the account may see and whose author it neither blocks nor
/// mutes, deletions of statuses that it could see, and its own notifications, conversations and filters.
struct ChangeFeedReader: Sendable {
    /// The number of rows per query.
    private static let batch = 100

    let account: Int64
    /// The maximum number of entries.
    let limit: Int
    /// The maximum number of rows that are examined.
    let maximumRows: Int
    /// Milliseconds since 1970.
    let now: Int64

    func page(since cursor: ChangeCursor?, in db: Database) throws -> ChangeFeedPage {
        let window = try db.changeWindow()
        guard let cursor else { return ChangeFeedPage(entries: [], position: window.end) }
        guard case .replay(let start) = window.start(from: cursor) else { return .resync(at: window.end, now: now) }
        var entries: [ChangeFeedPage.Entry] = []
        var (last, examined) = (start, 0)
        while examined < maximumRows, entries.count < limit, last < window.last {
            let rows = try db.changes(after: last, limit: min(Self.batch, maximumRows - examined))
            guard !rows.isEmpty else { break }
            let visible = try ChangeVisibility(rows, for: account, now: now, in: db)
            for row in rows where entries.count < limit {
                (last, examined) = (row.sequence, examined + 1)
                if let entry = visible.entry(for: row, at: window.position(last)) { entries.append(entry) }
            }
        }
        return ChangeFeedPage(
            entries: entries, position: window.position(last), examined: examined, hasMore: last < window.last)
    }
}
