import FeedAPI
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Searches in stored timelines, with the query language of the server.
@Suite(.hangLimit)
struct OfflineSearchTests {
    /// The members of stored statuses that are not those of a plain public status by ada.
    private static let statuses: [(id: Int, members: String)] = [
        (1, #""content":"<p>A <b>heron</b> stands in the reeds</p>""#),
        (2, #""content":"<p>Two herons</p>","account":{"id":"2","username":"bob","acct":"bob"}"#),
        (3, #""content":"<p>東京都の鷺</p>","language":"ja","created_at":"2026-01-02T00:00:00.000Z""#),
        (4, #""content":"<p>see <a href=\"https://x.example\">x.example</a></p>","in_reply_to_id":"1""#),
        (5, #""content":"<p><a class=\"mention hashtag\" href=\"/tags/heron\">#<span>heron</span></a></p>""#),
        (
            6,
            #""content":"","media_attachments":[{"id":"1","type":"image","description":"a grey heron"}],"language":"de-AT""#
        ),
        (7, #""content":"","spoiler_text":"birds","sensitive":true"#),
        (8, #""content":"?","poll":{"id":"1","options":[{"title":"Heron"},{"title":"Stork"}]}"#),
        (9, #""content":"far away","account":{"id":"9","username":"ada","acct":"ada@far.example"}"#),
    ]

    private static func entry(_ id: Int, _ members: String) throws -> TimelineEntry {
        let account = members.contains(#""account""#) ? "" : #","account":{"id":"1","username":"ada","acct":"ada"}"#
        let time = members.contains(#""created_at""#) ? "" : #","created_at":"2026-01-01T12:00:00.000Z""#
        let json = #"{"id":"\#(id)","visibility":"public",\#(members)\#(account)\#(time)}"#
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
        return TimelineEntry(status: status, json: Array(json.utf8))
    }

    private static func filled(_ fixture: StoreFixture) async throws -> OfflineStore {
        let store = try fixture.open()
        let entries = try statuses.reversed().map { try entry($0.id, $0.members) }
        try await store.save(TimelineSegment(entries: entries), of: .public, now: 1)
        return store
    }

    private static func ids(
        _ query: String, in store: OfflineStore, count: Int = 40, before: String? = nil, as name: String? = "ada"
    ) async throws -> [Int?] {
        let server = try ServerAddress("http://feed.test")
        let found = try await store.search(query, count: count, before: before, on: server, as: name)
        return found.map { Int($0.status.id) }
    }

    @Test func queriesFindStoredStatuses() async throws {
        let fixture = try StoreFixture()
        let store = try await Self.filled(fixture)
        let cases: [(String, [Int])] = [
            ("heron", [8, 6, 5, 1]), ("HERON*", [8, 6, 5, 2, 1]), ("\"heron stands\"", [1]),
            ("heron -reeds", [8, 6, 5]),
            ("東京", [3]), ("鷺", [3]), ("#heron", [8, 6, 5, 1]), ("birds", [7]), ("stork", [8]), ("zebra", []),
            ("from:bob", [2]), ("from:@ada@feed.test heron", [8, 6, 5, 1]), ("from:ada@far.example", [9]),
            ("from:me -heron", [7, 4, 3]), ("has:link", [4]), ("has:image", [6]), ("has:media", [6]), ("has:video", []),
            ("has:poll", [8]), ("is:reply", [4]), ("is:sensitive", [7]), ("language:ja", [3]), ("language:de", [6]),
            ("language:de-at", [6]), ("after:2026-01-01", [3]), ("before:2026-01-02 heron", [8, 6, 5, 1]),
            ("before:2026-01-01", []),
        ]
        for (query, ids) in cases { #expect(try await Self.ids(query, in: store) == ids, "\(query)") }
        #expect(try await Self.ids("from:me", in: store, as: nil) == [])
        #expect(try await Self.ids("heron", in: store, count: 2) == [8, 6])
        #expect(try await Self.ids("heron", in: store, count: 2, before: "6") == [5, 1])
        let error = await #expect(throws: FeedClientError.self) { try await Self.ids("!!! \"\"", in: store) }
        #expect(error?.code == .usage)
        #expect(try await Self.ids("heron", in: fixture.open(owner: "http://feed.test bob")) == [])
    }

    /// A boosted status is found once, as the status itself.
    @Test func boostsAreFoundAsTheirStatuses() async throws {
        let store = try StoreFixture().open()
        let boosted = try Self.entry(3, #""content":"<p>an old heron</p>""#)
        let json = String(decoding: boosted.json, as: UTF8.self)
        let account = #""account":{"id":"2","username":"bob","acct":"bob"},"created_at":"2026-01-02T00:00:00.000Z""#
        let boost = #""content":"",\#(account),"reblog":\#(json)"#
        let entries = [try Self.entry(9, boost), try Self.entry(5, #""content":"heron""#), boosted]
        try await store.save(TimelineSegment(entries: entries), of: .public, now: 1)
        #expect(try await Self.ids("heron", in: store) == [5, 3])
    }

    /// More than are in memory at once.
    @Test func longTimelinesAreSearched() async throws {
        let store = try StoreFixture().open()
        let entries = try (1...1200).reversed().map { try Self.entry($0, #""content":"number \#($0 % 3)""#) }
        try await store.save(TimelineSegment(entries: entries), of: .public, now: 1)
        let found = try await Self.ids("number 1", in: store, count: 400)
        #expect(found == stride(from: 1198, through: 1, by: -3).map { $0 })
        #expect(try await Self.ids("number", in: store, count: 3) == [1200, 1199, 1198])
    }
}
