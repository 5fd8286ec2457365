import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ImportTests {
    static let feed = """
        {"kind":"account","username":"ada","display_name":"Ada ✨","city":"Hamburg","note":"hi"}
        {"kind":"account","username":"bob"}
        {"kind":"follow","from":"bob","to":"ada"}
        {"kind":"status","n":1,"author":"ada","created_at":"2023-01-01T00:00:00.500Z","language":"zh","source":"iPad","text":"你好 @bob #a"}
        {"kind":"status","n":2,"author":"bob","created_at":"2023-01-01T00:00:01Z","text":"yes","in_reply_to":3,"visibility":"private"}
        {"kind":"status","n":3,"author":"ada","created_at":"2023-01-01T00:00:00.500Z","text":"same time","spoiler_text":"cw"}
        {"kind":"status","n":4,"author":"ada","created_at":"2023-01-02T00:00:00Z","text":"twin"}
        {"kind":"status","n":5,"author":"ada","created_at":"2023-01-02T00:00:00Z","text":"twin"}
        """

    @Test func everythingIsImported() async throws {
        let store = try TestStore()
        let report = try await store.importLines(Self.feed)
        #expect(report == Self.report(accounts: 2, follows: 1, statuses: 5, known: 0))
        let ada = try #require(try await store.accounts.account(named: "ADA"))
        #expect(
            ada.displayName == "Ada ✨" && ada.city == "Hamburg" && ada.statusesCount == 4 && ada.followersCount == 1)
        #expect(ada.createdAt == 1_672_531_200_500)
        let all = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 40), for: ada.id).entries
        #expect(all.map(\.text) == ["twin", "twin", "same time", "你好 @bob #a"])
        #expect(all.map { $0.id >> 16 } == all.map(\.createdAt))
        // The reply to this status is followers-only.
        #expect(all[2].repliesCount == 0 && all[2].sensitive)
        #expect(all[3].mentions.map(\.username) == ["bob"] && all[3].language == "zh" && all[3].source == "iPad")
        let reply = try await store.timelines.timeline(.classic, page: Pagination(limit: 40), for: store.bob()).entries
            .first {
                $0.text == "yes"
            }
        #expect(reply?.inReplyToID == all[2].id && reply?.inReplyToAccountID == ada.id)
    }

    @Test func repeatedImportAddsNothing() async throws {
        let store = try TestStore()
        try await store.importLines(Self.feed)
        let before = try await Self.content(store)
        let report = try await store.importLines(Self.feed)
        #expect(report == Self.report(accounts: 0, follows: 0, statuses: 0, known: 8))
        #expect(try await Self.content(store) == before)
    }

    @Test func oldStatusDoesNotChangeTheDateOfAnExistingAccount() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.importLines(Self.feed)
        let after = try #require(try await store.accounts.account(named: "ada"))
        #expect(after.createdAt == ada.createdAt && after.statusesCount == 4)
    }

    @Test func longerFileAddsOnlyNewRecords() async throws {
        let store = try TestStore()
        try await store.importLines(Self.feed)
        let more =
            Self.feed + "\n" + """
                {"kind":"status","n":6,"author":"bob","created_at":"2023-01-03T00:00:00Z","text":"late","in_reply_to":3}
                """
        #expect(try await store.importLines(more).statuses == 1)
        let all = try await store.timelines.timeline(.public, page: Pagination(limit: 40), for: nil).entries
        #expect(all.first?.text == "late")
        #expect(all.first { $0.text == "same time" }?.repliesCount == 1)
    }

    static let bad: [String] = [
        #"{"kind":"status","author":"nobody","created_at":"2023-01-01T00:00:00Z","text":"x"}"#,
        #"{"kind":"status","author":"ada","created_at":"2123-01-01T00:00:00Z","text":"x"}"#,
        #"{"kind":"status","author":"ada","created_at":"yesterday","text":"x"}"#,
        #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"x","visibility":"secret"}"#,
        #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"x","in_reply_to":99}"#,
        #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":" \n","spoiler_text":"cw"}"#,
        #"{"kind":"follow","from":"ada","to":"ada"}"#, #"{"kind":"account","username":"a b"}"#,
        #"{"kind":"account","username":"cleo","role":"owner"}"#,
        #"{"kind":"account","username":"cleo","email":"nonsense"}"#,
        #"{"kind":"account","username":"cleo","email":"EVE@feed.test"}"#,
    ]

    @Test(arguments: bad)
    func oneInvalidLineRejectsTheImport(line: String) async throws {
        let store = try TestStore()
        var eve = NewAccount(username: "eve")
        eve.email = "eve@feed.test"
        _ = try await store.accounts.create(eve)
        let before = try await Self.content(store)
        await #expect { try await store.importLines(Self.feed + "\n" + line) } throws: {
            ($0 as? FeedError)?.message.hasPrefix("line 9: ") == true
        }
        #expect(try await Self.content(store) == before)
    }

    /// A status that replies to itself, two that reply to each other, and a chain that ends in a cycle.
    @Test(arguments: [[1], [2, 1], [2, 3, 2]])
    func replyCyclesAreRejected(targets: [Int]) async throws {
        let store = try TestStore()
        let before = try await Self.content(store)
        let lines = targets.enumerated().map { index, target in
            """
            {"kind":"status","n":\(index + 1),"author":"ada","created_at":"2023-01-0\(index + 1)T00:00:00Z",\
            "text":"x","in_reply_to":\(target)}
            """
        }
        let text = ([#"{"kind":"account","username":"ada"}"#] + lines).joined(separator: "\n")
        await #expect { try await store.importLines(text) } throws: {
            ($0 as? FeedError)?.message.contains("cycle") == true
        }
        #expect(try await Self.content(store) == before)
    }

    /// Newest first, as in most exports: each status replies to one on a later line, which takes several steps to link.
    @Test func longConversationInReverseOrderIsLinked() async throws {
        let store = try TestStore()
        let count = 1203
        let lines = (0..<count).map { index in
            let reply = index + 1 < count ? #","in_reply_to":\#(index + 1)"# : ""
            let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(1_700_000_000 - index)))
            return
                #"{"kind":"status","n":\#(index),"author":"ada","created_at":"\#(time)","text":"\#(index)"\#(reply)}"#
        }
        try await store.importLines(([#"{"kind":"account","username":"ada"}"#] + lines).joined(separator: "\n"))
        let (conversations, replies) = try await store.database.read { db in
            try (
                db.fetchOne("SELECT count(DISTINCT coalesce(conversation_id, id)) FROM status", as: Int.self),
                db.fetchOne("SELECT CAST(sum(replies_count) AS BIGINT) FROM status", as: Int.self)
            )
        }
        #expect(conversations == 1 && replies == count - 1)
    }

    @Test func importIsInvisibleUntilPublished() async throws {
        let store = try TestStore()
        let eve = try await store.account("eve")
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(Self.feed))
        #expect(try await store.accounts.list().map(\.username) == ["eve"])
        #expect(try await store.accounts.account(named: "ada") == nil)
        #expect(try await store.timelines.timeline(.classic, page: Pagination(limit: 40), for: eve.id).entries.isEmpty)
        #expect(try await store.accounts.counts() == (1, 0))
        try await store.post("meanwhile", by: eve)
        await #expect(throws: FeedError.self) { try await store.account("ada") }
        await #expect(throws: FeedError.self) { try await ImportSession.begin(in: store.database) }
        _ = try await session.publish()
        #expect(try await store.timelines.timeline(.public, page: Pagination(limit: 40), for: nil).entries.count == 5)
    }

    @Test func nextImportCleansUpAfterACrash() async throws {
        let folder = try TemporaryFolder()
        let first = try TestStore(folder: folder)
        let session = try await ImportSession.begin(in: first.database)
        try await session.add(try TestStore.records(Self.feed))
        // Simulates a crash: the lock is released, but the rows remain.
        session.release()
        try first.database.close()
        let second = try TestStore(folder: folder)
        #expect(try await second.importLines(Self.feed).statuses == 5)
        let rows = try await second.database.read { try $0.fetchOne("SELECT count(*) FROM status", as: Int.self) }
        #expect(rows == 5)
    }

    private static func report(accounts: Int, follows: Int, statuses: Int, known: Int) -> ImportReport {
        var report = ImportReport()
        (report.accounts, report.follows, report.statuses, report.known) = (accounts, follows, statuses, known)
        return report
    }

    /// All rows of all tables with content.
    private static func content(_ store: TestStore) async throws -> [String] {
        try await store.database.read { db in
            try ["account", "follow", "status", "mention", "status_tag", "staged_import"].map { table in
                try db.fetchAll("SELECT * FROM \(sql: table)").map(\.description).sorted().joined(separator: "\n")
            }
        }
    }
}

extension TestStore {
    fileprivate func bob() async throws -> Int64? { try await accounts.account(named: "bob")?.id }
}
