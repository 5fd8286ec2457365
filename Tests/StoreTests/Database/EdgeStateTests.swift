import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Any number may be stored in a database: reading it, or writing next to it, succeeds or throws, but never causes a
/// crash that would recur after each restart.
@Suite(.hangLimit, .onSQLite)
struct EdgeStateTests {
    private static let numbers: [Int64] = [.min, .max]

    /// Two accounts with some of everything that is stored.
    private struct Template {
        let folder: TemporaryFolder
        let ada: Account
        let bob: Account
        /// A status of ada's.
        let status: Int64
        /// The path of the database in the folder.
        let database: String

        init() async throws {
            let store = try TestStore()
            folder = store.folder
            (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
            status = try await EdgeStateTests.live(store, ada, bob)
            database = String(try #require(store.database.sqlite).pool.path.dropFirst(folder.path.count))
            try store.database.close()
        }
    }

    @Test(arguments: FeedDatabase.tables.map(\.name))
    func everyStoredNumberMayBeExtreme(in table: String) async throws {
        let template = try await Template()
        for (name, column) in try await Self.columns() where name == table {
            for number in Self.numbers { try await Self.check(table, column, number, template) }
        }
    }

    /// The database contains rows of each table before a number is changed.
    @Test(arguments: [
        "account", "status", "status_edit", "follow", "favourite", "bookmark", "mention", "mute", "notification",
        "notification_group", "poll", "poll_option", "poll_vote", "media", "custom_filter", "filter_keyword",
        "filter_status", "list", "list_member", "file", "token", "change", "conversation", "scheduled_status", "marker",
    ])
    func templateHasRows(in table: String) async throws {
        let template = try await Template()
        let store = try TestStore(folder: template.folder)
        let count = try await store.database.read {
            try $0.fetchOne("SELECT count(*) FROM \(sql: table)", as: Int.self)
        }
        #expect(count ?? 0 > 0)
    }

    @Test func allTablesWithNumbersAreTested() async throws {
        let columns = try await Self.columns()
        #expect(columns.count > 40)
        #expect(Set(columns.map(\.table)).subtracting(FeedDatabase.tables.map(\.name)).isEmpty)
    }

    private static func columns() async throws -> [(table: String, column: String)] {
        let store = try TestStore()
        return try await store.database.read { db in
            try db.fetchAll(
                """
                SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND c.type = 'INTEGER' AND m.name NOT LIKE 'sqlite%'
                AND m.name NOT LIKE '%!_fts%' ESCAPE '!' AND m.name NOT IN ('status_search', 'search_move')
                """
            ).map { try ($0[0] as String, $0[1] as String) }
        }
    }

    private static func check(
        _ table: String, _ column: String, _ number: Int64, _ template: Template
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: template.folder.path + "/data", toPath: folder.path + "/data")
        // Nothing to test if the database rejects the number.
        guard (try? set(column, of: table, to: number, in: folder.path + template.database)) != nil else { return }
        let again = try TestStore(folder: folder)
        try await live(again, template.ada, template.bob, after: template.status)
        await read(again, template.ada, template.bob)
    }

    private static func set(_ column: String, of table: String, to number: Int64, in path: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "UPDATE \(table) SET \(column) = ?", arguments: [number]) }
        try queue.close()
    }

    /// Writes some of everything that is stored.
    /// - Parameter earlier: A status to reply to if none can be posted. Then every step may fail without preventing the
    ///   others; if it is `nil`, none may.
    /// - Returns: The status that was replied to.
    @discardableResult
    private static func live(
        _ store: TestStore, _ ada: Account, _ bob: Account, after earlier: Int64? = nil
    ) async throws -> Int64 {
        func step(_ write: () async throws -> Void) async throws {
            do { try await write() } catch { if earlier == nil { throw error } }
        }
        func attach(_ store: TestStore, _ ada: Account) async throws {
            try await step { _ = try await store.image(by: ada) }
            let images = try await store.database.read {
                try $0.fetchAll("SELECT id FROM media ORDER BY id", as: Int64.self)
            }
            var draft = MediaChanges()
            draft.description = "\(images.count) images"
            for id in images {
                try await step { _ = try await store.media.update(id, of: ada.id, draft, quota: 1 << 40) }
            }
        }
        var post = earlier ?? 0
        try await step { try await store.follows.follow(ada.id, by: bob.id, FollowUpdate(notifies: true)) }
        try await step { post = try await store.post("@bob hello #tag", by: ada).id }
        try await step { _ = try await store.post("answer", by: bob, replyTo: post) }
        try await step { _ = try await store.boosts.boost(post, visibility: nil, by: bob.id) }
        try await step { _ = try await store.list(of: bob, [ada], isExclusive: true) }
        try await step { try await store.tagFollows.follow(tag: "tag", by: bob.id) }
        try await step { try await store.post("@bob secret", by: ada, .direct) }
        try await step { _ = try await store.featuredTags.feature("tag", by: ada.id) }
        try await step { try await store.suggestions.dismiss(bob.id, by: ada.id) }
        try await step {
            let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            let text = "@bob hello #tag \(earlier == nil ? "again" : "once more")"
            _ = try await posting.edit(post, to: StatusDraft(text: text), by: ada)
        }
        try await step {
            let poll = PollDraft(options: ["a", "b"], seconds: 300)
            let id = try await store.post("which?", by: ada, poll: poll).id
            _ = try await store.polls.vote([1], in: id, by: bob.id)
        }
        try await attach(store, ada)
        try await step {
            let filter = try await store.filters.create(FilterDraft(title: "x", contexts: [.home]), by: bob.id)
            _ = try await store.filters.add(FilterDraft.Keyword(text: "hello"), to: filter.id, of: bob.id)
            _ = try await store.filters.add(status: post, to: filter.id, of: bob.id)
        }
        for mark in StatusMark.allCases { _ = try? await store.statuses.set(mark, true, on: post, by: ada.id) }
        try await step { try await store.mutes.mute(ada.id, by: bob.id, Mute(expiresAt: .max)) }
        try await step { _ = try await store.markers.move([.home: 1], of: ada.id) }
        let file = StoredFile(
            name: "a.txt", ownerID: ada.id, blob: Blob(hash: .starting(""), size: 1), type: "text/plain", modifiedAt: 1)
        try await step { _ = try await store.files.add([file, file], quota: nil) }
        let logins = LoginFailureStore(store.database)
        for address in ["a", "b"] {
            let attempt = LoginAttempt(address: address, account: "id \(ada.id)", accountID: ada.id)
            try await step { _ = try await logins.begin(attempt, now: store.clock.now) }
            try await step { try await logins.retract(attempt, hasSucceeded: true, now: store.clock.now) }
            try await step { _ = try await logins.begin(attempt, now: store.clock.now) }
        }
        for number in 1...2 { try await step { try await store.schedule("later", by: ada, in: 5 + Int64(number)) } }
        try await step {
            let found = try await store.scheduledStatuses.statuses(of: ada.id, page: Pagination(limit: 1))
            let (id, time) = (found.first?.id ?? 0, store.clock.now + 400_000)
            _ = try await store.scheduling.move(id, to: time, of: ada.id)
        }
        try await step {
            _ = try await store.tokens.insert(
                hash: [1, 2], accountID: ada.id, scopes: .all, application: ClientApplication(name: "x"))
        }
        return post
    }

    private static func follow(_ store: TestStore, _ ada: Account, _ bob: Account) async {
        let window = try? await store.streams.window()
        for sequence in [0, window?.floor ?? 0, window?.last ?? 0] {
            for account in [ada.id, bob.id] {
                _ = try? await store.streams.feed(
                    since: ChangeCursor(sequence: sequence), limit: 200, maximumRows: 1000, for: account)
            }
        }
        let rows = try? await store.changes.changes(after: .min, limit: 100)
        for stream in [StreamName.user, .public, .direct] {
            _ = try? await store.streams.recipients(of: rows ?? [], among: SubscribedAccounts(stream, bob.id))
        }
    }

    private static func read(_ store: TestStore, _ ada: Account, _ bob: Account) async {
        for viewer in [nil, ada.id, bob.id] {
            for timeline in [Timeline.public, .classic, .account(ada.id), .tag("tag"), .home(viewer ?? ada.id)] {
                let found = try? await store.timelines.timeline(timeline, page: Pagination(limit: 5), for: viewer)
                for status in found?.entries ?? [] {
                    _ = status.poll?.votesCount
                    _ = try? await store.statuses.context(of: status.id, for: viewer)
                    _ = try? await store.edits.history(of: status.id, for: viewer)
                }
            }
        }
        for list in (try? await store.lists.lists(of: bob.id)) ?? [] {
            _ = try? await store.timelines.timeline(.list(list), page: Pagination(limit: 5), for: bob.id)
            _ = try? await store.lists.members(of: list.id, page: Pagination(limit: 5))
        }
        _ = try? await store.tagFollows.followedTags(by: bob.id, page: Pagination(limit: 5))
        for account in [ada.id, bob.id] {
            let page = try? await store.conversations.conversations(of: account, page: Pagination(limit: 5))
            for entry in page?.entries ?? [] { _ = try? await store.conversations.markRead(entry.id, of: account) }
            _ = try? await store.featuredTags.featured(by: account)
            _ = try? await store.suggestions.suggestions(for: account, limit: 5)
        }
        _ = try? await store.tags.histories(of: ["tag"])
        try? await store.trends.refresh()
        _ = try? await store.trends.tags()
        for order in Directory.allCases {
            _ = try? await store.suggestions.directory(order, limit: 5, offset: 0, for: ada.id)
        }
        _ = try? await store.tags.pruneUses()
        _ = try? await store.accounts.list()
        _ = try? await store.accounts.counts()
        _ = try? await store.relationships.relationships(of: ada.id, to: [bob.id])
        _ = try? await store.notifications.notifications(of: ada.id, page: Pagination(limit: 5), NotificationFilter())
        for account in [ada.id, bob.id] {
            _ = try? await store.notifications.groups(of: account, page: Pagination(limit: 5), NotificationFilter())
        }
        for filter in (try? await store.filters.filters(of: bob.id)) ?? [] { _ = filter.keywords.count }
        _ = try? await store.notifications.unread(of: ada.id, limit: 5)
        _ = try? await store.markers.markers(of: ada.id, [.home])
        _ = try? await store.mutes.removeExpired()
        _ = try? await store.scheduling.pause()
        try? await store.scheduling.publishDue()
        _ = try? await store.files.files(of: ada.id, after: nil, limit: 5)
        _ = try? await store.files.bytes(of: ada.id)
        _ = try? await store.tokens.holder(hash: [1, 2])
        try? await store.tokens.sweep()
        await follow(store, ada, bob)
        _ = try? await store.changes.prune(before: .max)
        _ = try? await store.importLines(#"{"kind":"account","username":"cleo"}"#)
    }
}
