import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// Several accounts that do everything to each other at random, and the recount of what is left after removals.
struct AccountDeletionWorld {
    static let people = 7

    let store: TestStore
    private(set) var accounts: [Account] = []
    private(set) var statuses: [Int64] = []
    private var random: SplitMix64

    init(seed: UInt64) async throws {
        store = try TestStore()
        random = SplitMix64(seed: seed)
        for number in 0..<Self.people { accounts.append(try await store.account("user\(number)")) }
    }

    /// Whether an account still exists.
    private func isPresent(_ account: Account) async throws -> Bool {
        try await store.accounts.account(id: account.id)?.removedAt == nil
    }

    /// One random action of a random account. Refused actions are ignored.
    mutating func act() async throws {
        store.clock.now += 1000
        let actor = accounts[Int.random(in: accounts.indices, using: &random)]
        let other = accounts[Int.random(in: accounts.indices, using: &random)]
        let status = statuses.isEmpty ? 1 : statuses[Int.random(in: statuses.indices, using: &random)]
        let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
        let kind = Int.random(in: 0..<31, using: &random)
        guard try await isPresent(actor) else { return }
        do {
            if let new = try await act(kind, actor, other, status, visibility) { statuses.append(new) }
        } catch let error as FeedError {
            #expect([.notFound, .forbidden, .invalid].contains(error.kind), "\(error)")
        }
    }

    /// - Returns: The id of a new status.
    private func act(
        _ kind: Int, _ actor: Account, _ other: Account, _ status: Int64, _ visibility: Visibility
    ) async throws -> Int64? {
        switch kind {
        case 0..<3: return try await store.post("@\(other.username) hi #tag", by: actor, visibility).id
        case 3:
            _ = try await store.featuredTags.feature("tag\(store.clock.now % 13)", by: actor.id)
            try await store.suggestions.dismiss(other.id, by: actor.id)
            return try await store.post("hi #tag", by: actor, visibility).id
        case 4..<6:
            return try await store.post("@\(other.username) re", by: actor, visibility, replyTo: status).id
        case 6..<8: _ = try await store.statuses.set(.favourite, true, on: status, by: actor.id)
        case 8: _ = try await store.statuses.set(.bookmark, true, on: status, by: actor.id)
        case 9: _ = try await store.statuses.set(.conversationMute, true, on: status, by: actor.id)
        case 10: _ = try await store.statuses.set(.pin, true, on: status, by: actor.id)
        case 11..<13: _ = try await store.boosts.boost(status, visibility: nil, by: actor.id)
        case 13..<15: try await store.follows.follow(other.id, by: actor.id, FollowUpdate(notifies: true))
        case 15: try await lockOrMute(actor, other)
        case 16: try await addFile(of: actor)
        case 17: _ = try await store.reports.create(ReportDraft(targetID: other.id), by: actor.id)
        case 20:
            let media = try await store.image(by: actor)
            return try await store.post("picture #tag", by: actor, visibility, media: [media]).id
        case 21, 22:
            let draft = PollDraft(options: ["a", "b", "c"], seconds: 86_400, isMultiple: kind == 21)
            return try await store.post("poll #tag", by: actor, visibility, poll: draft).id
        case 23, 24: try await vote(actor)
        case 25: try await store.tagFollows.follow(tag: "tag", by: actor.id)
        case 26, 27: try await addToList(actor, other)
        case 28:
            let media = try await store.image(by: actor)
            try await store.schedule("later", by: actor, media: [media])
        case 18: _ = try await store.markers.move([.home: status], of: actor.id)
        case 29: try await filter(status, of: actor)
        case 30:
            try await store.notes.note("note", about: other.id, by: actor.id)
            try await store.endorsements.endorse(other.id, by: actor.id)
        default: _ = try await store.statuses.delete(id: status, by: actor.id)
        }
        return nil
    }

    /// Votes in one of the newest polls.
    private func vote(_ actor: Account) async throws {
        let time = store.clock.now / 1000
        let polls = try await store.database.read {
            try $0.fetchAll("SELECT status_id FROM poll ORDER BY status_id DESC LIMIT 4", as: Int64.self)
        }
        guard !polls.isEmpty else { return }
        let choices = time % 3 == 0 ? [0, 2] : [Int(time % 3)]
        _ = try await store.polls.vote(choices, in: polls[Int(time) % polls.count], by: actor.id)
    }

    private func lockOrMute(_ actor: Account, _ other: Account) async throws {
        if store.clock.now % 3000 == 0 { return try await store.lock(actor) }
        if store.clock.now % 2000 == 0 { return try await store.blocks.block(other.id, by: actor.id) }
        try await store.mutes.mute(other.id, by: actor.id, Mute())
    }

    private func addToList(_ actor: Account, _ other: Account) async throws {
        guard let list = try await store.lists.lists(of: actor.id).first else {
            _ = try await store.list(of: actor)
            return
        }
        try await store.lists.add([other.id], to: list.id, of: actor.id)
    }

    private func filter(_ status: Int64, of actor: Account) async throws {
        var draft = FilterDraft(title: "filter", contexts: [.home])
        draft.keywords = [FilterDraft.Keyword(text: "hi")]
        let filter = try await store.filters.create(draft, by: actor.id)
        _ = try await store.filters.add(status: status, to: filter.id, of: actor.id)
    }

    private func addFile(of account: Account) async throws {
        let file = StoredFile(
            name: "note.txt", ownerID: account.id, blob: Blob(hash: .starting("", "a"), size: 1),
            type: "text/plain", modifiedAt: store.clock.now)
        _ = try await store.files.add([file], quota: nil)
    }
}

extension AccountDeletionWorld {
    /// Columns that refer to accounts, except in the change log and in reports about an account.
    private static let references: [(table: String, column: String)] = [
        ("status", "account_id"), ("follow", "follower_id"), ("follow", "followee_id"),
        ("follow_request", "follower_id"), ("follow_request", "followee_id"), ("block", "account_id"),
        ("block", "target_id"), ("mute", "account_id"), ("mute", "target_id"), ("favourite", "account_id"),
        ("bookmark", "account_id"), ("pin", "account_id"), ("conversation_mute", "account_id"),
        ("mention", "account_id"), ("mention", "author_id"), ("status_tag", "account_id"),
        ("notification", "account_id"), ("notification", "from_id"), ("notification_group", "account_id"),
        ("marker", "account_id"), ("list", "account_id"), ("list_member", "account_id"), ("list_member", "owner_id"),
        ("tag_follow", "account_id"),
        ("idempotency", "account_id"), ("token", "account_id"), ("authorization_code", "account_id"),
        ("file", "account_id"), ("media", "account_id"), ("poll_vote", "account_id"), ("account_name", "account_id"),
        ("account_removal", "account_id"), ("custom_filter", "account_id"), ("filter_keyword", "account_id"),
        ("filter_status", "account_id"), ("endorsement", "account_id"), ("endorsement", "target_id"),
        ("account_note", "account_id"), ("account_note", "target_id"),
        ("conversation", "account_id"), ("conversation_status", "account_id"), ("featured_tag", "account_id"),
        ("dismissed_suggestion", "account_id"), ("dismissed_suggestion", "target_id"),
        ("scheduled_status", "account_id"), ("report", "account_id"), ("invitation", "account_id"),
        ("sign_up", "account_id"), ("password_reset", "account_id"),
    ]

    /// The tables with rows of an account, apart from its own.
    static func leftovers(of account: Int64, in store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            try references.filter { place in
                let sql: SQL = "SELECT count(*) FROM \(sql: place.table) WHERE \(sql: place.column) = \(account)"
                return try db.fetchOne(sql, as: Int.self) != 0
            }.map { "\($0.table).\($0.column)" }
        }
    }

    /// The number of rows in all tables but the change log.
    static func rows(_ store: TestStore) async throws -> Int {
        try await store.database.read { db in
            try FeedDatabase.tables.map(\.name).filter { $0 != "change" }.reduce(0) {
                try $0 + (db.fetchOne("SELECT count(*) FROM \(sql: $1)", as: Int.self) ?? 0)
            }
        }
    }

    /// The stored counts that differ from a recount.
    static func wrongCounts(_ store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            let accounts = """
                SELECT a.username, a.statuses_count, a.followers_count, a.following_count,
                    (SELECT count(*) FROM status s WHERE s.account_id = a.id AND s.visibility < 3),
                    (SELECT count(*) FROM follow f WHERE f.followee_id = a.id),
                    (SELECT count(*) FROM follow f WHERE f.follower_id = a.id)
                FROM account a
                """
            let statuses = """
                SELECT CAST(s.id AS TEXT), s.replies_count, s.reblogs_count, s.favourites_count,
                    (SELECT count(*) FROM status r WHERE r.in_reply_to_id = s.id AND r.visibility <= 1),
                    (SELECT count(*) FROM status r WHERE r.boost_of_id = s.id),
                    (SELECT count(*) FROM favourite f WHERE f.status_id = s.id)
                FROM status s
                """
            let polls = """
                SELECT 'poll ' || CAST(p.status_id AS TEXT), p.voters_count,
                    (SELECT CAST(sum(o.votes_count) AS BIGINT) FROM poll_option o WHERE o.status_id = p.status_id), 0,
                    (SELECT count(DISTINCT v.account_id) FROM poll_vote v WHERE v.status_id = p.status_id),
                    (SELECT count(*) FROM poll_vote v WHERE v.status_id = p.status_id), 0
                FROM poll p
                """
            return try [accounts, statuses, polls].flatMap { try db.fetchAll(SQL(sql: $0)) }
                .filter { row in (1...3).contains { row.value($0) != row.value($0 + 3) } }.map(\.description)
        }
    }

    /// The conversations that differ from those that follow from the statuses, and the days on which the use of a hashtag
    /// differs from a recount.
    static func wrongConversationsAndUses(_ store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            try [wrongConversations, wrongUses].flatMap { try db.fetchAll(SQL(sql: $0)) }.map(\.description)
        }
    }

    private static let wrongConversations = """
        SELECT c.account_id, c.conversation_id, c.last_status_id, w.last, 'conversation'
        FROM (SELECT p.account_id, coalesce(s.conversation_id, s.id) AS thread, max(s.id) AS last FROM status s
            JOIN (SELECT account_id, status_id FROM mention UNION SELECT account_id, id FROM status) p
                ON p.status_id = s.id
            WHERE s.visibility = 3 AND s.boost_of_id IS NULL GROUP BY p.account_id, coalesce(s.conversation_id, s.id)) w
        FULL JOIN conversation c ON c.account_id = w.account_id AND c.conversation_id = w.thread
        WHERE c.last_status_id IS DISTINCT FROM w.last
        """

    private static let wrongUses = """
        SELECT d.tag, d.day, d.uses, d.accounts, r.uses, r.accounts FROM tag_day d FULL JOIN (
            SELECT tag, (status_id >> 16) / 86400000 AS day, count(*) AS uses, count(DISTINCT account_id) AS accounts
            FROM status_tag WHERE visibility = 0 GROUP BY tag, (status_id >> 16) / 86400000) r
        ON r.tag = d.tag AND r.day = d.day
        WHERE coalesce(d.uses, 0) <> coalesce(r.uses, 0) OR coalesce(d.accounts, 0) <> coalesce(r.accounts, 0)
        """

    /// Mutes of conversations that no longer have a status.
    static func orphanedMutes(_ store: TestStore) async throws -> Int? {
        try await store.database.read { db in
            try db.fetchOne(
                """
                SELECT count(*) FROM conversation_mute m WHERE NOT EXISTS (
                    SELECT 1 FROM status s WHERE coalesce(s.conversation_id, s.id) = m.conversation_id)
                """, as: Int.self)
        }
    }
}
