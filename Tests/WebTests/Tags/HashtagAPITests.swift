import FeedCore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

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
