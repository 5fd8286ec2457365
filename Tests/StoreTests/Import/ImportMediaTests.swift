import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// The rows of imported media.
@Suite(.hangLimit)
struct ImportMediaTests {
    private static let lines = """
        {"kind":"account","username":"ada","avatar":"a.png","header":"h.png"}
        {"kind":"status","n":1,"author":"ada","created_at":"2023-01-01T00:00:00Z","text":"","media":[{"file":"1.png","description":"one"},{"file":"2.png"}]}
        {"kind":"status","n":2,"author":"ada","created_at":"2023-01-02T00:00:00Z","text":"none","media":[]}
        """

    /// Files as if they had been processed. Their blobs do not exist; their hashes begin with the path.
    private static func processed(_ files: [ImportFile]) -> [ImportedFile] {
        files.enumerated().map { index, file in
            let blob = Blob(hash: .starting("\(index)", "a"), size: 10)
            let processed = ProcessedMedia(format: .png, meta: MediaMeta(width: 4, height: 3), content: blob)
            // The header is animated.
            let still = file.place == .header ? [Blob(hash: .starting("\(index)", "b"), size: 5)] : []
            return ImportedFile(file, processed, blobs: [blob] + still)
        }
    }

    private static func staged(_ store: TestStore) async throws -> ImportSession {
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(lines))
        try await session.attach(processed(session.takeFiles()))
        return session
    }

    private static func count(_ table: String, _ store: TestStore) async throws -> Int? {
        try await store.database.read { try $0.fetchOne("SELECT count(*) FROM \(sql: table)", as: Int.self) }
    }

    @Test func filesAreNamedInTheirOrderAndShownAfterPublishing() async throws {
        let store = try TestStore()
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(Self.lines))
        let files = session.takeFiles()
        #expect(files.map(\.path.description) == ["a.png", "h.png", "1.png", "2.png"])
        #expect(files.map(\.line) == [1, 1, 2, 2] && session.takeFiles().isEmpty)
        try await session.attach(Self.processed(files))
        #expect(try await store.accounts.account(named: "ada") == nil)
        let report = try await session.publish()
        #expect(report.media == 4 && report.statuses == 2)
        let ada = try #require(try await store.accounts.account(named: "ada"))
        #expect(ada.avatar == .starting("0", "a") && ada.header == .starting("1", "a"))
        #expect(ada.avatarStatic == .starting("0", "a") && ada.headerStatic == .starting("1", "b"))
        let page = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 5), for: nil).entries
        #expect(page.map(\.text) == ["none", ""])
        #expect(page[1].media.map(\.description) == ["one", nil] && page[0].media.isEmpty)
        // They belong to the status, and do not expire.
        store.clock.now += 2 * MediaLimits.unattachedLifetime
        #expect(try await store.media.removeExpired() == 0)
        // Again: the records exist, so their files are not asked for.
        let again = try await ImportSession.begin(in: store.database)
        try await again.add(try TestStore.records(Self.lines))
        #expect(again.takeFiles().isEmpty)
        #expect(try await again.publish().known == 3)
        #expect(try await Self.count("media", store) == 2)
    }

    @Test func importIsNotPublishedWithoutItsFiles() async throws {
        let store = try TestStore()
        let error = await #expect(throws: FeedError.self) { try await store.importLines(Self.lines) }
        #expect(error?.message.hasPrefix("line 1: a.png") == true)
        #expect(try await store.accounts.account(named: "ada") == nil)
    }

    /// An abandoned import, and one that was killed: its blobs are listed for collection.
    @Test(arguments: [true, false]) func unpublishedMediaIsRemoved(isKilled: Bool) async throws {
        let store = try TestStore()
        let session = try await Self.staged(store)
        #expect(try await Self.count("media", store) == 2)
        if isKilled {
            session.release()
            _ = try await ImportSession.begin(in: store.database).abandon()
        } else {
            _ = try await session.abandon()
        }
        for table in ["media", "status", "account", "staged_import"] {
            #expect(try await Self.count(table, store) == 0, "\(table)")
        }
        let replaced = try await store.files.replaced(of: nil, limit: 10)
        #expect(Set(replaced.map { $0.hash?.description.prefix(2) }) == ["0a", "1a", "1b", "2a", "3a"])
    }

    static let bad: [String] = [
        #""media":[{"file":"../x.png"}]"#, #""media":[{"file":"x.png","focus":[3,0]}]"#,
        #""media":[{"file":"1"},{"file":"2"},{"file":"3"},{"file":"4"},{"file":"5"}]"#,
    ]

    @Test(arguments: bad) func invalidMediaIsRefusedWithItsLine(member: String) async throws {
        let store = try TestStore()
        let line =
            #"{"kind":"status","author":"ada","created_at":"2023-01-03T00:00:00Z","text":"x",\#(member)}"#
        let error = await #expect(throws: FeedError.self) { try await store.importLines(Self.lines + "\n" + line) }
        #expect(error?.message.hasPrefix("line 4: ") == true)
        #expect(try await Self.count("status", store) == 0)
    }
}
