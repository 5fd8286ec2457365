import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page with the notifications of a member.
@Suite(.hangLimit)
struct NotificationsPageTests {
    @Test func pageShowsTheMembersOwnNotifications() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            try await test.store.post("hello @ada <b>", by: grace)
            let own = try await test.store.post("my post", by: ada)
            _ = try await test.store.statuses.set(.favourite, true, on: own.id, by: grace.id)
            var other = person
            try await person.logIn()
            try await other.logIn("grace")
            let page = try await person.send(.get, "/notifications")
            #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
            for text in ["mentioned you", "hello @ada &lt;b&gt;", "favourited your post", "/@ada/\(own.id)"] {
                #expect(page.text.contains(text), "\(text)")
            }
            let nothing = try await other.send(.get, "/notifications")
            #expect(nothing.status == 200 && nothing.text.contains("Nothing here yet"))
            #expect(!nothing.text.contains("my post"))
        }
    }

    @Test func olderNotificationsFollow() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            for number in 0..<3 { try await test.store.post("@ada number \(number)", by: grace) }
            try await person.logIn()
            let first = try await person.send(.get, "/notifications?limit=2")
            #expect(first.text.contains("number 2") && first.text.contains("number 1"))
            #expect(!first.text.contains("number 0"))
            let start = try #require(first.text.firstRange(of: "/notifications?max_id="))
            let id = first.text[start.upperBound...].prefix { $0.isNumber }
            let second = try await person.send(.get, "/notifications?max_id=\(id)")
            #expect(second.text.contains("number 0") && !second.text.contains("number 1"))
            #expect(second.text.contains("href=\"/notifications\" rel=\"prev\""))
        }
    }

    @Test func groupsAreThoseOfTheAPIAndSeeingThemReadsThem() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let post = try await api.post("hello", by: ada)
            for name in ["bob", "eve", "mia"] {
                try await api.must(.post, "/api/v1/statuses/\(post)/favourite", as: try await api.person(name))
            }
            let count = "/api/v2/notifications/unread_count"
            #expect(try await api.must(.get, count, as: ada)["count"]?.number == 1)
            // A token that may not write reads nothing for its account.
            let narrow = try await api.limited(ada, scopes: "read")
            for viewer in [narrow, ada] {
                let page = try await api.send(.get, "/notifications", as: viewer).text
                #expect(page.contains("<span>and 2 others favourited your post</span>"))
                #expect(page.contains(">new</span>") && page.contains(#"<a href="/@bob"><bdi>bob</bdi></a>"#))
            }
            #expect(try await !api.send(.get, "/notifications", as: ada).text.contains(">new</span>"))
            #expect(try await api.must(.get, count, as: ada)["count"]?.number == 0)
            let markers = try await api.must(.get, "/api/v1/markers?timeline[]=notifications", as: ada)
            let newest = try await api.must(.get, "/api/v1/notifications", as: ada).ids.first
            #expect(markers["notifications"]?["last_read_id"]?.text == newest)
        }
    }

    @Test func visitorsAreSentToTheLogin() async throws {
        try await Person.served(try TestServices()) { _, person in
            let visit = try await person.send(.get, "/notifications")
            #expect(visit.location == "/login?next=%2Fnotifications")
        }
    }
}
