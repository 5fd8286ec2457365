import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct SocialTests {
    @Test func followingBlockingAndMutingReturnTheRelationship() async throws {
        let fixture = try await SocialFixture("ada", "bob")
        try await fixture.run { client in
            var now = try await client.relate("ada", "follow", "bob")
            #expect(now.following && now.showing_reblogs && !now.notifying && !now.requested && !now.followed_by)
            now = try await client.relate("ada", "follow", "bob", "reblogs=False&notify=1")
            #expect(now.following && !now.showing_reblogs && now.notifying)
            now = try await client.relate("bob", "follow", "ada")
            #expect(now.following && now.followed_by)
            now = try await client.relate("ada", "mute", "bob", "duration=60&notifications=false")
            #expect(now.muting && !now.muting_notifications && now.muting_expires_at == "2023-11-14T22:14:20.000Z")
            now = try await client.relate("ada", "unmute", "bob")
            #expect(!now.muting && now.muting_expires_at == nil)
            now = try await client.relate("ada", "remove_from_followers", "bob")
            #expect(now.following && !now.followed_by)
            now = try await client.relate("ada", "block", "bob")
            #expect(now.blocking && !now.blocked_by && !now.following && !now.followed_by)
            let response = try await client.send("bob", .get, "/api/v1/accounts/relationships?id[]={ada}")
            #expect(try response.decoded([Entity.Relationship].self).map(\.blocked_by) == [true])
            for name in ["ada", "bob"] {
                let other = name == "ada" ? "bob" : "ada"
                let refused = try await client.send(name, .post, "/api/v1/accounts/{\(other)}/follow")
                #expect(refused.status == 403 && refused.text.contains("not allowed"))
            }
            now = try await client.relate("ada", "unblock", "bob")
            #expect(!now.blocking)
            now = try await client.relate("ada", "follow", "bob")
            now = try await client.relate("ada", "unfollow", "bob")
            #expect(!now.following && !now.showing_reblogs)
        }
    }

    @Test func followKeepsItsLanguages() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let path = "/api/v1/accounts/\(bob.id)/follow"
            func languages(_ body: WebBody?) async throws -> JSONValue? {
                try await api.must(.post, path, as: ada, body)["languages"]
            }
            #expect(try await languages(nil) == .null)
            #expect(try await languages(.form("languages[]=en&languages[]=de")) == .list([.text("en"), .text("de")]))
            #expect(try await languages(.form("notify=true")) == .list([.text("en"), .text("de")]))
            let shown = try await api.must(.get, "/api/v1/accounts/relationships?id[]=\(bob.id)", as: ada)
            #expect(shown[0]?["languages"] == .list([.text("en"), .text("de")]))
            for (text, language) in [("hello", "en"), ("bonjour", "fr")] {
                _ = try await api.post(text, by: bob, more: "&language=" + language)
            }
            let home = try await api.must(.get, "/api/v1/timelines/home", as: ada).list
            #expect(home?.compactMap { $0["content"]?.text } == ["<p>hello</p>"])
            for wrong in ["languages[]=e+n", "languages[]=%25", "languages[]=" + String(repeating: "x", count: 21)] {
                let response = try await api.send(.post, path, as: ada, .form(wrong))
                #expect(response.json?["error"]?.text == "Validation failed: Languages is invalid", "\(wrong)")
            }
            #expect(try await languages(.form("languages[]=")) == .null)
            #expect(try await api.must(.get, "/api/v1/timelines/home", as: ada).list?.count == 2)
        }
    }

    @Test func lockedAccountReceivesFollowRequests() async throws {
        let fixture = try await SocialFixture("ada", "bob", "eve")
        try await fixture.test.store.lock(try fixture.person("bob").account)
        try await fixture.run { client in
            for name in ["ada", "eve"] {
                let now = try await client.relate(name, "follow", "bob")
                #expect(now.requested && !now.following && now.showing_reblogs)
            }
            let asking = try await client.send("bob", .get, "/api/v1/follow_requests").decoded([Entity.Account].self)
            #expect(asking.map(\.username) == ["eve", "ada"])
            let accepted = try await client.send("bob", .post, "/api/v1/follow_requests/{ada}/authorize")
            #expect(try accepted.decoded(Entity.Relationship.self).followed_by)
            let rejected = try await client.send("bob", .post, "/api/v1/follow_requests/{eve}/reject")
            #expect(try !rejected.decoded(Entity.Relationship.self).requested_by)
            for verb in ["authorize", "reject"] {
                let again = try await client.send("bob", .post, "/api/v1/follow_requests/{eve}/\(verb)")
                #expect(again.status == 404)
            }
            let now = try await client.relate("ada", "follow", "bob")
            #expect(now.following && !now.requested)
            let own = try await client.send("bob", .get, "/api/v1/accounts/verify_credentials").text
            #expect(own.contains("\"locked\":true") && own.contains("\"follow_requests_count\":0"))
        }
    }

    /// Pagination by page: no account is missing or repeated, and the last page has no link.
    @Test func listsArePaginated() async throws {
        let fixture = try await SocialFixture("ada")
        let ada = try fixture.person("ada").account
        let store = fixture.test.store
        var names: [String] = []
        for index in 0..<7 {
            let other = try await store.account("user\(index)")
            try await store.follows.follow(ada.id, by: other.id)
            try await store.follows.follow(other.id, by: ada.id)
            try await store.mutes.mute(other.id, by: ada.id, Mute())
            names.insert(other.username, at: 0)
        }
        try await store.lock(ada)
        for index in 0..<7 {
            let asking = try await store.account("asks\(index)")
            try await store.follows.follow(ada.id, by: asking.id)
        }
        let requests = (0..<7).reversed().map { "asks\($0)" }
        let expected = names
        try await fixture.run { client in
            let lists = [
                ("/api/v1/accounts/{ada}/followers", expected), ("/api/v1/accounts/{ada}/following", expected),
                ("/api/v1/mutes", expected), ("/api/v1/follow_requests", requests),
            ]
            for (path, names) in lists {
                let pages = try await client.walk("ada", path + "?limit=3", of: Entity.Account.self)
                #expect(pages.map(\.count) == [3, 3, 1] && pages.flatMap(\.self).map(\.username) == names, "\(path)")
            }
            let muted = try await client.send("ada", .get, "/api/v1/mutes?limit=1").text
            #expect(muted.contains("\"mute_expires_at\":null"))
        }
        for account in try await store.accounts.list() where account.id != ada.id {
            try await store.blocks.block(account.id, by: ada.id)
        }
        try await fixture.run { client in
            let pages = try await client.walk("ada", "/api/v1/blocks?limit=5", of: Entity.Account.self)
            #expect(pages.map(\.count) == [5, 5, 4])
        }
    }

    @Test func severalAccountsCanBeRequestedAtOnce() async throws {
        let fixture = try await SocialFixture("ada", "bob", "eve")
        try await fixture.run { client in
            let several = "id[]={eve}&id[]=1&id[]=x&id[]={bob}&id[]=99999999999999999999999"
            let accounts = try await client.send(nil, .get, "/api/v1/accounts?" + several).decoded(
                [Entity.Account].self)
            #expect(accounts.map(\.username) == ["eve", "bob"])
            for query in [several, several.replacing("id[]", with: "id"), several.replacing("[]", with: "%5B%5D")] {
                let found = try await client.send("ada", .get, "/api/v1/accounts/relationships?" + query)
                    .decoded([Entity.Relationship].self)
                #expect(found.map(\.id) == [try client.id("eve"), try client.id("bob")])
            }
            #expect(try await client.send("ada", .get, "/api/v1/accounts/relationships").text == "[]")
        }
    }

    static let refused: [(HTTPRequest.Method, String, String, Int)] = [
        (.post, "/api/v1/accounts/{ada}/follow", "", 403), (.post, "/api/v1/accounts/{ada}/block", "", 403),
        (.post, "/api/v1/accounts/{ada}/mute", "", 403), (.post, "/api/v1/accounts/{ada}/unfollow", "", 403),
        (.post, "/api/v1/accounts/1/follow", "", 404), (.post, "/api/v1/accounts/x/follow", "", 404),
        (.post, "/api/v1/accounts/1/unfollow", "", 404), (.post, "/api/v1/accounts/1/block", "", 404),
        (.post, "/api/v1/accounts/99999999999999999999/mute", "", 404),
        (.post, "/api/v1/accounts/{bob}/mute", "duration=-1", 422),
        (.post, "/api/v1/accounts/{bob}/mute", "duration=long", 422),
        (.post, "/api/v1/accounts/{bob}/mute", "duration=9223372036854775807", 422),
        (.post, "/api/v1/follow_requests/{bob}/authorize", "", 404),
        (.get, "/api/v1/follow_requests?max_id=x", "", 400), (.get, "/api/v1/accounts/1/followers", "", 404),
        (
            .get, "/api/v1/accounts/relationships?" + String(repeating: "id[]=1&", count: 201), "", 422
        ),
    ]

    @Test func invalidActionsAreRejectedAndChangeNothing() async throws {
        let fixture = try await SocialFixture("ada", "bob")
        let start = try await fixture.test.store.changes.position().sequence
        try await fixture.run { client in
            for (method, path, body, status) in Self.refused {
                let response = try await client.send("ada", method, path, body)
                #expect(
                    response.status == status && response.text.hasPrefix("{\"error\":"),
                    "\(path) \(body): \(response.text)")
                let stranger = try await client.send(nil, method, path, body)
                #expect(stranger.status == 401 || path.contains("followers"), "\(path)")
            }
        }
        #expect(try await fixture.test.store.kinds(after: start).isEmpty)
    }
}
