import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct NotificationTests {
    private struct NotificationEntity: Decodable {
        var id: String
        var type: String
        var created_at: String
        var group_key: String
        var account: Entity.Account
        var status: Entity.Status?
    }

    private struct Count: Decodable, Equatable { var count: Int }

    @Test func notificationsAreListedCountedAndDismissed() async throws {
        let fixture = try await SocialFixture("ada", "bob", "eve")
        try await fixture.run { client in
            for name in ["bob", "eve"] { try await client.relate(name, "follow", "ada") }
            let all = try await client.walk("ada", "/api/v1/notifications?limit=1", of: NotificationEntity.self)
                .flatMap(\.self)
            #expect(all.map(\.account.username) == ["eve", "bob"] && all.allSatisfy { $0.type == "follow" })
            #expect(all.allSatisfy { $0.group_key.hasPrefix("follow-") && $0.status == nil })
            #expect(all[0].created_at == "2023-11-14T22:13:20.000Z")
            let one = try await client.send("ada", .get, "/api/v1/notifications/\(all[0].id)")
            #expect(try one.decoded(NotificationEntity.self).id == all[0].id && !one.text.contains("\"status\":"))
            #expect(try await client.send("bob", .get, "/api/v1/notifications/\(all[0].id)").status == 404)
            try await Self.count(2, client)
            let marked = try await client.send(
                "ada", .post, "/api/v1/markers", #"{"notifications":{"last_read_id":"\#(all[1].id)"}}"#,
                type: "application/json")
            #expect(
                marked.text.hasPrefix(#"{"notifications":{"last_read_id":"\#(all[1].id)","version":0,"updated_at":"2"#))
            try await Self.count(1, client)
            for status in [200, 404] {
                let path = "/api/v1/notifications/\(all[0].id)/dismiss"
                #expect(try await client.send("ada", .post, path).status == status)
            }
            let old = try await client.send("ada", .post, "/api/v1/notifications/dismiss", "id=\(all[1].id)")
            #expect(old.status == 200 && old.text == "{}")
            try await client.relate("bob", "unfollow", "ada")
            try await client.relate("bob", "follow", "ada")
            try await Self.count(1, client)
            for _ in 0..<2 { #expect(try await client.send("ada", .post, "/api/v1/notifications/clear").text == "{}") }
            #expect(try await client.send("ada", .get, "/api/v1/notifications").text == "[]")
        }
    }

    private static func count(_ expected: Int, _ client: SocialClient) async throws {
        let response = try await client.send("ada", .get, "/api/v1/notifications/unread_count")
        #expect(try response.decoded(Count.self) == Count(count: expected))
    }

    @Test func notificationsAreFilteredByKind() async throws {
        let fixture = try await SocialFixture("ada", "bob")
        let store = fixture.test.store
        try await store.follows.follow(try fixture.person("ada").account.id, by: try fixture.person("bob").account.id)
        let cases: [(String, Int)] = [
            ("", 1), ("types[]=follow", 1), ("types[]=follow&types[]=mention", 1), ("types[]=mention", 0),
            ("exclude_types[]=follow", 0), ("exclude_types[]=mention", 1), ("types[]=poll", 0),
            ("types%5B%5D=follow", 1), ("account_id={bob}", 1), ("account_id={ada}", 0),
            ("types[]=follow&exclude_types[]=follow", 0),
        ]
        try await fixture.run { client in
            for (query, expected) in cases {
                let response = try await client.send("ada", .get, "/api/v1/notifications?" + query)
                #expect(try response.decoded([NotificationEntity].self).count == expected, "\(query)")
            }
        }
    }

    @Test func markersAreStored() async throws {
        let fixture = try await SocialFixture("ada", "bob")
        let cases: [(String?, HTTPRequest.Method, String, String, Int, String)] = [
            ("ada", .get, "/api/v1/markers?timeline[]=home", "", 200, "{}"),
            ("ada", .post, "/api/v1/markers", "home[last_read_id]=7&notifications[last_read_id]=8", 200, "{\"home\":{"),
            ("ada", .get, "/api/v1/markers?timeline[]=home", "", 200, #"{"home":{"last_read_id":"7","version":0,"#),
            (
                "ada", .post, "/api/v1/markers", "home[last_read_id]=6", 200,
                #"{"home":{"last_read_id":"6","version":1,"#
            ),
            ("ada", .get, "/api/v1/markers", "", 200, "{}"), ("ada", .post, "/api/v1/markers", "", 200, "{}"),
            ("ada", .get, "/api/v1/markers?timeline[]=moon", "", 200, "{}"),
            ("ada", .post, "/api/v1/markers", "home[last_read_id]=x", 400, "{\"error\""),
            ("bob", .get, "/api/v1/markers?timeline[]=home", "", 200, "{}"),
            (nil, .get, "/api/v1/markers?timeline[]=home", "", 401, "{\"error\""),
            (nil, .post, "/api/v1/markers", "home[last_read_id]=7", 401, "{\"error\""),
            (nil, .get, "/api/v1/notifications", "", 401, "{\"error\""),
            (nil, .post, "/api/v1/notifications/clear", "", 401, "{\"error\""),
            ("ada", .get, "/api/v1/notifications/1", "", 404, "{\"error\""),
            ("ada", .post, "/api/v1/notifications/1/dismiss", "", 404, "{\"error\""),
            ("ada", .get, "/api/v1/notifications?max_id=x", "", 400, "{\"error\""),
        ]
        try await fixture.run { client in
            for (name, method, path, body, status, start) in cases {
                let response = try await client.send(name, method, path, body)
                #expect(
                    response.status == status && response.text.hasPrefix(start), "\(path) \(body): \(response.text)")
            }
        }
    }
}
