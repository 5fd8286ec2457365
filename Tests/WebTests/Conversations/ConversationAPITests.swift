import FeedCore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct ConversationAPITests {
    @Test func conversationIsReadAndHidden() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let status = try await api.post("@bob hello", by: ada, "direct")
            let list = try await api.send(.get, "/api/v1/conversations", as: bob).json
            let entry = try #require(list?[0])
            #expect(entry["unread"]?.flag == true && entry["last_status"]?["id"]?.text == status)
            #expect(entry["accounts"]?.ids == [ada.id])
            let path = "/api/v1/conversations/\(entry.ids.first ?? "")"
            #expect(try await api.send(.post, path + "/read", as: bob).json?["unread"]?.flag == false)
            #expect(try await api.send(.post, path + "/read", as: ada).json?["unread"]?.flag == false)
            #expect(try await api.send(.delete, path, as: bob).status == 200)
            #expect(try await api.send(.get, "/api/v1/conversations", as: bob).json?.list == [])
            #expect(try await api.send(.post, path + "/read", as: bob).status == 404)
            #expect(try await api.send(.delete, path, as: bob).status == 404)
            _ = try await api.post("@bob again", by: ada, "direct", replyTo: status)
            #expect(try await api.send(.get, "/api/v1/conversations", as: bob).json?[0]?["unread"]?.flag == true)
        }
    }

    @Test func pagesHaveLinks() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            var statuses: [String] = []
            for number in 0..<5 { statuses.append(try await api.post("@bob \(number)", by: ada, "direct")) }
            var found: [String?] = []
            var path: String? = "/api/v1/conversations?limit=2"
            while let next = path {
                let page = try await api.send(.get, next, as: bob)
                found += page.json?.list?.map { $0["last_status"]?["id"]?.text } ?? []
                let link = page.headers[.link]?.firstMatch(of: /<http:\/\/feed\.test([^>]*)>; rel="next"/)
                path = link.map { String($0.1) }
            }
            #expect(found == statuses.reversed())
        }
    }
}
