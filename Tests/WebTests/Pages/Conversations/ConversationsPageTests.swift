import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The pages with the conversations and the follow requests of a member.
@Suite(.hangLimit)
struct ConversationsPageTests {
    @Test func conversationsAreThoseOfTheAPIAndOpeningReadsThem() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let post = try await api.post("@ada a <secret>", by: bob, "direct")
            let stored = try await api.must(.get, "/api/v1/conversations", as: ada)
            let id = try #require(stored.ids.first)
            let page = try await api.send(.get, "/conversations", as: ada)
            #expect(page.headers[.cacheControl] == "no-store")
            for part in [
                #"<a href="/conversations/\#(id)"><bdi>bob</bdi></a> <span class="badge">unread</span>"#,
                "@ada a &lt;secret&gt;",
            ] { #expect(page.text.contains(part), "\(part)") }
            let opened = try await api.send(.get, "/conversations/\(id)", as: ada)
            #expect(opened.status == 303 && opened.headers[.location] == "/@bob/\(post)")
            #expect(opened.headers[.cacheControl] == "no-store")
            #expect(try await !api.send(.get, "/conversations", as: ada).text.contains(">unread<"))
            let read = try await api.must(.get, "/api/v1/conversations", as: ada)
            #expect(read[0]?["unread"]?.flag == false)
            let eve = try await api.person("eve")
            #expect(try await api.send(.get, "/conversations/\(id)", as: eve).status == 404)
            #expect(try await api.send(.post, "/conversations/\(id)/hide", as: eve, .form("")).status == 404)
            #expect(try await !api.send(.get, "/conversations", as: eve).text.contains("secret"))
            #expect(try await api.send(.get, "/conversations").headers[.location] == "/login?next=%2Fconversations")
            let hidden = try await api.send(.post, "/conversations/\(id)/hide", as: ada, .form(""))
            #expect(hidden.headers[.location] == "/conversations")
            #expect(try await !api.send(.get, "/conversations", as: ada).text.contains("secret"))
        }
    }

    @Test func conversationsArePaged() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            for number in 0..<3 { _ = try await api.post("@ada number \(number)", by: bob, "direct") }
            let first = try await api.send(.get, "/conversations?limit=2", as: ada).text
            #expect(first.contains("number 2") && first.contains("number 1") && !first.contains("number 0"))
            let next = try #require(first.firstMatch(of: /href="(\/conversations\?max_id=\d+)"/))
            let second = try await api.send(.get, String(next.1), as: ada).text
            #expect(second.contains("number 0") && !second.contains("number 1"))
        }
    }

    @Test func followRequestsAreAnsweredOnTheirPageAndAmongNotifications() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            try await api.must(.patch, "/api/v1/accounts/update_credentials", as: ada, .form("locked=true"))
            for (name, path) in [("bob", "/follow_requests"), ("eve", "/notifications")] {
                let follower = try await api.person(name)
                try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: follower)
                let page = try await api.send(.get, path, as: ada)
                #expect(page.headers[.cacheControl] == "no-store", "\(path)")
                for part in [
                    #"action="/@\#(name)/accept""#, #"action="/@\#(name)/reject""#, #"name="next" value="\#(path)""#,
                ] { #expect(page.text.contains(part), "\(path): \(part)") }
                let next = WebBody.form("next=" + HTMLForm.escaped(path))
                let answer = try await api.send(.post, "/@\(name)/accept", as: ada, next)
                #expect(answer.status == 303 && answer.headers[.location] == path)
                #expect(try await !api.send(.get, path, as: ada).text.contains("/@\(name)/accept"), "\(path)")
            }
            let followers = try await api.must(.get, "/api/v1/accounts/\(ada.id)/followers", as: ada)
            #expect(followers.list?.count == 2)
        }
    }
}
