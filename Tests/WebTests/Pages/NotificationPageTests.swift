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
struct NotificationPageTests {
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

    @Test func visitorsAreSentToTheLogin() async throws {
        try await Person.served(try TestServices()) { _, person in
            let visit = try await person.send(.get, "/notifications")
            #expect(visit.location == "/login?next=%2Fnotifications")
        }
    }
}
