import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Following hashtags.
@Suite(.hangLimit)
struct TagAPITests {
    @Test func followedHashtagAppearsAtHome() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            func home() async throws -> Int {
                try await api.must(.get, "/api/v1/timelines/home", as: ada).list?.count ?? -1
            }
            _ = try await api.post("about #Swift", by: bob)
            #expect(try await home() == 0)
            let followed = try await api.must(.post, "/api/v1/tags/SWIFT/follow", as: ada)
            #expect(followed["name"]?.text == "Swift" && followed["following"] == .flag(true))
            #expect(try await home() == 1)
            _ = try await api.post("more #swift", by: bob)
            #expect(try await home() == 2)
            _ = try await api.post("other #rust", by: bob)
            #expect(try await home() == 2)
            let again = try await api.must(.post, "/api/v1/tags/swift/follow", as: ada)
            #expect(again["following"] == .flag(true))
            let left = try await api.must(.post, "/api/v1/tags/swift/unfollow", as: ada)
            #expect(left["following"] == .flag(false))
            #expect(try await home() == 0)
        }
    }

    @Test func refusedFeaturedTagStatesTheReasonOnce() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            func feature(_ name: String) async throws -> String? {
                let response = try await api.send(.post, "/api/v1/featured_tags", as: ada, .form("name=" + name))
                return response.json?["error"]?.text
            }
            #expect(try await feature("a+b") == "Validation failed: Tag is invalid")
            for number in 1...10 { #expect(try await feature("tag\(number)") == nil) }
            let limit = "Validation failed: You have already featured the maximum number of hashtags"
            #expect(try await feature("another") == limit)
        }
    }

    @Test func hashtagStatesWhetherItIsFollowedAndItsHistory() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            try await api.must(.post, "/api/v1/tags/%E6%97%A5%E6%9C%AC/follow", as: ada)
            for path in ["/api/v1/tags/%E6%97%A5%E6%9C%AC", "/api/v1/tags/unused"] {
                let isFollowed = !path.hasSuffix("unused")
                let tag = try await api.must(.get, path, as: ada)
                #expect(tag["following"] == .flag(isFollowed), "\(path)")
                #expect(tag["history"]?.list?.count == 7, "\(path)")
                let open = try await api.send(.get, path)
                #expect(open.status == 200 && open.json?["following"] == nil, "\(open.summary)")
            }
            let found = try await api.must(.get, "/api/v1/tags/%23Unused", as: ada)
            #expect(found["name"]?.text == "unused" && found["url"]?.text == "http://feed.test/tags/unused")
        }
    }

    @Test func followedHashtagsArePaged() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for name in ["one", "two", "three"] { try await api.must(.post, "/api/v1/tags/\(name)/follow", as: ada) }
            var path: String? = "/api/v1/followed_tags?limit=2"
            var names: [String] = []
            while let next = path {
                let response = try await api.send(.get, next, as: ada)
                names += (response.json?.list ?? []).compactMap { $0["name"]?.text }
                let link = response.headers[.link]?.firstMatch(of: /<http:\/\/feed.test([^>]*)>; rel="next"/)
                path = link.map { String($0.1) }
            }
            #expect(names == ["three", "two", "one"])
        }
    }
}
