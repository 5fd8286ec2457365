import FeedCore
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

@Suite(.hangLimit)
struct HashtagAPITests {
    @Test func historyHasSevenDaysOfStrings() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("#Größe", by: ada)
            let tag = try await api.send(.get, "/api/v1/tags/gr%C3%B6%C3%9Fe").json
            #expect(tag?["name"]?.text == "Größe")
            #expect(tag?["url"]?.text == "http://feed.test/tags/gro%C3%9Fe")
            let history = try #require(tag?["history"]?.list)
            #expect(history.map { $0["uses"]?.text } == ["1", "0", "0", "0", "0", "0", "0"])
            #expect(history.map { $0["accounts"]?.text } == ["1", "0", "0", "0", "0", "0", "0"])
            let today = api.test.store.clock.now / TagUse.milliseconds * 86_400
            #expect(history.map { $0["day"]?.text } == (0..<7).map { String(today - $0 * 86_400) })
            #expect(try await api.send(.get, "/api/v1/tags/unknown").json?["history"]?.list?.count == 7)
            for name in ["a%20b", "1", "%23%23x", "a%2Fb"] {
                #expect(try await api.send(.get, "/api/v1/tags/\(name)").status == 404, "\(name)")
            }
        }
    }

    /// NFC, NFD, wide letters and letters without accents, as written by different keyboards.
    @Test func spellingsOfAHashtagAreOneHashtag() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let spellings = ["Caff%C3%A8", "caffe%CC%80", "CAFFE", "%EF%BD%83affe"]
            try await api.must(.post, "/api/v1/tags/CAFF%C3%88/follow", as: bob)
            for text in ["#Caffè", "#caffe\u{300}", "#caffe", "#ｃａｆｆｅ", "#tea"] {
                _ = try await api.post(text, by: ada)
            }
            _ = try await api.must(.post, "/api/v1/featured_tags", as: ada, .form("name=caffe%CC%80"))
            for spelling in spellings {
                let tag = try await api.must(.get, "/api/v1/tags/\(spelling)", as: bob)
                #expect(tag["name"]?.text == "Caffè" && tag["following"] == .flag(true), "\(spelling)")
                #expect(tag["url"]?.text == "http://feed.test/tags/caffe")
                #expect(tag["history"]?.list?.first?["uses"]?.text == "4")
                for (path, count) in [
                    ("/api/v1/timelines/tag/\(spelling)", 4), ("/api/v1/timelines/tag/tea?any[]=\(spelling)", 5),
                    ("/api/v1/timelines/tag/tea?all[]=\(spelling)", 0),
                    ("/api/v1/timelines/tag/tea?none[]=\(spelling)", 1),
                    ("/api/v1/timelines/tag/caffe?none[]=\(spelling)", 0),
                    ("/api/v1/accounts/\(ada.id)/statuses?tagged=\(spelling)", 4),
                ] {
                    let found = try await api.must(.get, path, as: bob)
                    #expect(found.list?.count == count, "\(path)")
                }
                let found = try await api.must(.get, "/api/v2/search?type=hashtags&q=%23\(spelling)", as: bob)
                #expect(found["hashtags"]?.list?.map { $0["name"]?.text } == ["Caffè"])
                #expect(found["hashtags"]?[0]?["history"] == tag["history"])
                #expect(found["hashtags"]?[0]?["following"] == .flag(true))
            }
            #expect(try await api.must(.get, "/api/v1/timelines/home", as: bob).list?.count == 4)
            let featured = try await api.must(.get, "/api/v1/featured_tags", as: ada).list?.first
            #expect(featured?["statuses_count"]?.text == "4" && featured?["name"]?.text == "caffe\u{300}")
            #expect(featured?["url"]?.text == "http://feed.test/tags/caffe")
            let shown = try await api.must(.get, "/api/v1/followed_tags", as: bob)
            #expect(shown.list?.map { $0["name"]?.text } == ["Caffè"])
            #expect(try await api.must(.post, "/api/v1/tags/caffe/unfollow", as: bob)["following"] == .flag(false))
            #expect(try await api.must(.get, "/api/v1/timelines/home", as: bob).list?.count == 0)
        }
    }

    @Test func featuredTagsAreShownToOthers() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            _ = try await api.post("#Cats", by: ada)
            let made = try await api.send(.post, "/api/v1/featured_tags", as: ada, .form("name=%23Cats")).json
            #expect(made?["name"]?.text == "Cats" && made?["statuses_count"]?.text == "1")
            for viewer in [ada, bob, nil] {
                let list = try await api.send(.get, "/api/v1/accounts/\(ada.id)/featured_tags", as: viewer).json
                #expect(list == .list([try #require(made)]))
            }
            for body in ["name=", "name=a+b", "name=%23", "", "name[]=a&name[]=b"] {
                let refused = try await api.send(.post, "/api/v1/featured_tags", as: ada, .form(body))
                #expect(refused.status == 422, "\(body): \(refused.summary)")
            }
            let path = "/api/v1/featured_tags/\(made?["id"]?.text ?? "")"
            #expect(try await api.send(.delete, path, as: bob).status == 404)
            #expect(try await api.send(.delete, path, as: ada).status == 200)
            #expect(try await api.send(.get, "/api/v1/featured_tags", as: ada).json?.list == [])
            let suggested = try await api.send(.get, "/api/v1/featured_tags/suggestions", as: ada).json
            #expect(suggested?.list?.map { $0["name"]?.text } == ["Cats"])
        }
    }
}
