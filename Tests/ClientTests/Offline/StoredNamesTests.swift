import FeedAPI
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Names and ids that need no server.
@Suite(.hangLimit)
struct StoredNamesTests {
    private static func entry(_ id: String, by acct: String, _ more: String = "") throws -> TimelineEntry {
        let account = #"{"id":"1","username":"x","acct":"\#(acct)","display_name":""}"#
        let json =
            #"{"id":"\#(id)","created_at":"2026-01-01T00:00:00.000Z","visibility":"public","spoiler_text":"","#
            + #""content":"","account":\#(account),"mentions":[{"id":"2","username":"m","acct":"mia"}],"#
            + #""tags":[{"name":"Kites","url":null}]\#(more)}"#
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
        return TimelineEntry(status: status, json: Array(json.utf8))
    }

    @Test func namesAreThoseOfStoredStatusesAndTimelines() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        #expect(try await store.names() == StoredNames())
        let entries = [try Self.entry("2", by: "bob@b.example"), try Self.entry("1", by: "ada")]
        try await store.save(TimelineSegment(entries: entries), of: .tag("Sailing"), now: 1)
        try await store.save(TimelineSegment(entries: []), of: .list("Good friends"), now: 1)
        try await store.save(TimelineSegment(entries: []), of: .account("eve"), now: 1)
        #expect(
            try await store.names()
                == StoredNames(
                    accounts: ["ada", "bob@b.example", "eve", "mia"], tags: ["kites", "sailing"],
                    lists: ["Good friends"]))
        #expect(try await fixture.open(owner: "another").names() == StoredNames())
    }

    @Test func idsAreFoundByTheirEnd() async throws {
        let store = try StoreFixture().open()
        let boosted = try Self.entry("114000000000001111", by: "ada")
        let boost = try Self.entry(
            "114000000000009999", by: "bob", #","reblog":"# + String(decoding: boosted.json, as: UTF8.self))
        let entries = [boost, try Self.entry("114000000000005555", by: "ada")]
        try await store.save(TimelineSegment(entries: entries), of: .home, now: 1)
        #expect(try await store.ids(endingIn: "5555", count: 3) == ["114000000000005555"])
        // The boosted status is what is shown.
        #expect(try await store.ids(endingIn: "1111", count: 3) == ["114000000000001111"])
        #expect(try await store.ids(endingIn: "9999", count: 3).isEmpty)
        #expect(try await store.ids(endingIn: "%", count: 3).isEmpty)
    }
}
