import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The cost of conversations, hashtags, trends and the directory does not grow with the feed.
@Suite(.hangLimit, .onSQLite)
struct DiscoveryCostTests {
    private static let many = 20_000
    private static let accounts = 3000

    /// Thousands of accounts that all use one hashtag, follow each other and write to ada, whom they do not interest.
    private static func crowded() async throws -> (store: TestStore, ada: Account, first: Int64) {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let first = try await store.post("@ada #tag", by: ada).id
        try await store.database.commits.write { db in
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(accounts))
                INSERT INTO account (id, username, username_key, created_at, last_status_at, discoverable,
                silenced_at)
                SELECT i, 'user' || i, 'user' || i, 1, i, i % 2, CASE WHEN i % 3 = 0 THEN 1 END FROM n
                """)
            try db.execute(
                """
                INSERT INTO follow (follower_id, followee_id, created_at)
                SELECT a.id, b.id, 1 FROM account a JOIN account b ON b.id <> a.id
                WHERE (a.id < 60 OR a.id = \(ada.id)) AND b.id < 1000
                """)
            for visibility in [0, 3] {
                try db.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(many))
                    INSERT INTO status (id, account_id, created_at, visibility, text, content, tags,
                    favourites_count)
                    SELECT \(first) + i * 4 + \(visibility), 1 + i % \(accounts), 0, \(visibility), 'x',
                    '<p>x</p>', 'tag', i % 7 FROM n
                    """)
            }
            try db.execute(
                """
                INSERT INTO mention (account_id, status_id, author_id, visibility)
                SELECT \(ada.id), id, account_id, 3 FROM status WHERE visibility = 3
                """)
            try db.execute(
                """
                INSERT INTO status_tag (tag, status_id, account_id, visibility)
                SELECT 'tag', id, account_id, visibility FROM status WHERE true ON CONFLICT DO NOTHING
                """)
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(many))
                INSERT INTO tag_day (tag, day, uses, accounts) SELECT 'tag' || i,
                \(TagUse.day(at: store.clock.now)), i, i FROM n WHERE true
                ON CONFLICT DO NOTHING
                """)
            try db.execute("DELETE FROM conversation_status")
            for statement in DiscoveryFill.statements.prefix(3) { try db.execute(SQL(sql: statement)) }
            // Most authors are muted.
            try db.execute(
                """
                INSERT INTO mute (account_id, target_id, id)
                SELECT \(ada.id), id, id FROM account WHERE id < 2990 AND id <> \(ada.id)
                """)
        }
        return (store, ada, first)
    }

    @Test func costOfEachQueryIsBounded() async throws {
        let (store, ada, first) = try await Self.crowded()
        let now = store.clock.now
        var queries: [(String, SQL)] = [
            ("featured", FeaturedTagStore.usesQuery(of: "tag", by: 7)), ("active", SuggestionStore.activeQuery()),
            ("trending tags", TrendStore.tagQuery(TagUse.day(at: now))),
            ("trending statuses", TrendStore.statusQuery(after: 0, before: .max)),
            (
                "suggested",
                SuggestionStore.suggestedQuery(Array(1...100), for: ada.id, now: now)
            ),
        ]
        for order in Directory.allCases {
            for viewer in [nil, ada.id] {
                for offset in [0, Directory.maximumOffset] {
                    let query = SuggestionStore.directoryQuery(
                        order, limit: 80, offset: offset, for: viewer, now: now)
                    queries.append(("directory \(order) \(offset) for \(viewer ?? 0)", query))
                }
            }
        }
        for (name, query) in queries {
            let steps = try await store.database.read { try $0.steps(query) }
            #expect(steps < PageCost.bound, "\(name): \(steps)")
        }
        let friends = try await store.database.read { db in
            try db.steps { _ = try SuggestionStore.friendsOfFriends(of: ada.id, in: db) }
        }
        #expect(friends < PageCost.bound, "\(friends)")
        _ = first
    }

    @Test func costOfConversationsIsBounded() async throws {
        let (store, ada, first) = try await Self.crowded()
        let reader = TimelineReader(.conversations(of: ada.id), for: ada.id, now: store.clock.now)
        for page in [Pagination(limit: 40), Pagination(limit: 40, minID: first)] {
            var rest = page
            for round in 0..<4 {
                let (steps, end) = try await store.database.read { [rest] db in
                    var end: Int64?
                    let steps = try db.steps { end = try reader.step(rest, isFirst: round == 0, in: db).end }
                    return (steps, end)
                }
                #expect(steps < PageCost.bound, "\(page), round \(round): \(steps)")
                guard let end else { break }
                rest = page.isAscending ? Pagination(limit: 40, minID: end) : Pagination(limit: 40, maxID: end)
            }
        }
        // Those of the few authors that are not muted are found behind thousands of others.
        let shown = try await store.conversations.conversations(of: ada.id, page: Pagination(limit: 20))
        #expect(!shown.entries.isEmpty)
    }

    /// Posting, editing and deleting read only what they change.
    @Test func costOfPostingIsBounded() async throws {
        let (store, ada, _) = try await Self.crowded()
        let id = try await store.database.commits.write { try $0.nextID(now: store.clock.now) }
        let steps = try await store.database.commits.write { db in
            let rendered = StatusHTML.render(StatusTextParser.parse("x #tag #other"), known: [:])
            var draft = StatusDraft(text: "x #tag #other")
            let plain = PreparedStatus(accountID: ada.id, draft: draft, rendered: rendered, inReplyToAccountID: nil)
            try StatusStore.insert(plain, id: id, at: store.clock.now, into: db)
            let tags = try db.steps {
                try db.countUses(of: ["tag", "other"], in: id, by: ada.id, at: store.clock.now)
                try db.uncountUses(of: ["tag"], in: id, by: ada.id)
            }
            draft.visibility = .direct
            let direct = PreparedStatus(accountID: ada.id, draft: draft, rendered: rendered, inReplyToAccountID: nil)
            try StatusStore.insert(direct, id: id + 1, at: store.clock.now, into: db)
            let conversations = try db.steps {
                try db.addToConversations(id + 1)
                try db.removeFromConversations([id + 1])
            }
            return [tags, conversations]
        }
        #expect(steps.allSatisfy { $0 < 2000 }, "\(steps)")
    }
}
