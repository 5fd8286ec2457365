import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// The statuses that the filters of a viewer mark, and the contexts in which they do.
@Suite(.hangLimit)
struct FilterAPITests {
    private static let contexts = ["home", "notifications", "public", "thread", "account"]

    /// The filter results of the first status of a list; `nil` for an empty list.
    private static func marks(_ api: WebAPI, _ path: String, as viewer: Member) async throws -> [JSONValue]? {
        let found = try await api.must(.get, path, as: viewer)
        let status = found[0] ?? found["descendants"]?[0] ?? found
        return (status["status"] ?? status)["filtered"]?.list
    }

    private static func titles(_ api: WebAPI, _ path: String, as viewer: Member) async throws -> [String]? {
        try await marks(api, path, as: viewer)?.compactMap { $0["filter"]?["title"]?.text }
    }

    @Test func aThousandKeywordsFitIntoOneRequest() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            func keywords(_ count: Int) -> String {
                (0..<count).map {
                    "&keywords_attributes[\($0)][keyword]=k\($0)&keywords_attributes[\($0)][whole_word]=1"
                }
                .joined()
            }
            let filter = try await api.must(
                .post, "/api/v2/filters", as: ada, .form("title=x&context[]=home" + keywords(1000)))
            #expect(filter["keywords"]?.list?.count == 1000)
            let response = try await api.send(
                .post, "/api/v2/filters", as: try await api.person("bob"),
                .form("title=x&context[]=home" + keywords(1001)))
            #expect(response.status == 422)
        }
    }

    @Test(arguments: ["/api/v1/filters", "/api/v2/filters"])
    func unknownContextIsRefusedAsInMastodon(path: String) async throws {
        try await WebAPI.run { api in
            let response = try await api.send(
                .post, path, as: try await api.person("ada"), .form("title=x&phrase=x&context[]=home&context[]=cellar"))
            #expect(response.status == 422, "\(response.summary)")
            #expect(
                response.json?["error"]?.text == "Validation failed: Context None or invalid context supplied")
        }
    }

    /// A filter for one context marks statuses there only. Where the server does not know the context, all filters
    /// apply, as everywhere in Mastodon.
    @Test func filterAppliesInItsContexts() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            for context in Self.contexts {
                let form = "title=\(context)&context[]=\(context)&keywords_attributes[0][keyword]=cats"
                try await api.must(.post, "/api/v2/filters", as: ada, .form(form))
            }
            let mine = try await api.post("mine", by: ada)
            let id = try await api.post("@ada CATS! #tag", by: bob, replyTo: mine)
            try await api.must(.post, "/api/v1/statuses/\(id)/bookmark", as: ada)
            let places = [
                ("/api/v1/timelines/home", ["home"]), ("/api/v1/timelines/public", ["public"]),
                ("/api/v1/timelines/tag/tag", ["public"]), ("/api/v1/accounts/\(bob.id)/statuses", ["account"]),
                ("/api/v1/notifications?types[]=mention", ["notifications"]), ("/api/v1/statuses/\(id)", ["thread"]),
                ("/api/v1/statuses/\(mine)/context", ["thread"]), ("/api/v1/bookmarks", Self.contexts),
                ("/api/v1/statuses?id[]=\(id)", Self.contexts),
            ]
            for (path, expected) in places {
                #expect(try await Self.titles(api, path, as: ada) == expected, "\(path)")
                #expect(try await Self.titles(api, path, as: bob) ?? [] == [], "\(path)")
            }
            let own = try await api.must(.post, "/api/v1/statuses/\(id)/favourite", as: ada)
            #expect(own["filtered"]?.list?.count == Self.contexts.count)
            #expect(try await api.send(.get, "/api/v1/timelines/public").json?[0]?["filtered"] == nil)
        }
    }

    @Test func boostAndBoostedStatusAreMarkedAlike() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            let id = try await api.post("about cats", by: cleo)
            let boost = try await api.must(.post, "/api/v1/statuses/\(id)/reblog", as: bob)["id"]?.text ?? ""
            let filter = try await api.must(
                .post, "/api/v2/filters", as: ada,
                .json(
                    #"{"title":"t","context":["home"],"filter_action":"hide","keywords_attributes":"#
                        + #"[{"keyword":"cats"},{"keyword":"about","whole_word":false},{"keyword":"cat"}]}"#))
            let path = "/api/v2/filters/\(filter["id"]?.text ?? "")/statuses"
            for entry in [id, boost] { try await api.must(.post, path, as: ada, .form("status_id=\(entry)")) }
            let found = try await api.must(.get, "/api/v1/timelines/home?limit=1", as: ada)[0]
            let result = found?["filtered"]?[0]
            #expect(found?["id"]?.text == boost && found?["filtered"]?.list?.count == 1)
            #expect(found?["reblog"]?["filtered"] == found?["filtered"])
            #expect(result?["keyword_matches"] == .list([.text("cats"), .text("about")]))
            #expect(result?["status_matches"] == .list([.text(id), .text(boost)]))
            #expect(result?["filter"]?["filter_action"]?.text == "hide")
        }
    }

    @Test func warningsAndDescriptionsAreSearched() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            for word in ["warned", "described"] {
                let form = "title=\(word)&context[]=public&keywords_attributes[0][keyword]=\(word)"
                try await api.must(.post, "/api/v2/filters", as: ada, .form(form))
            }
            let body = WebBody.files([("file", SampleMedia.png())], [("description", "it is described")])
            let media = try await api.send(.post, "/api/v1/media", as: bob, body).json?["id"]?.text ?? ""
            _ = try await api.post("x", by: bob, more: "&spoiler_text=be+warned&media_ids[]=\(media)")
            let found = try await Self.titles(api, "/api/v1/timelines/public", as: ada)
            #expect(found == ["warned", "described"])
        }
    }

    /// Cached pages follow changes of filters at once, and their expiry with the next run of the maintenance.
    @Test func pagesFollowTheFilters() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            _ = try await api.post("cats and dogs", by: bob)
            let path = "/api/v1/timelines/public"
            func titles() async throws -> [String]? { try await Self.titles(api, path, as: ada) }
            #expect(try await titles() == [])
            let made = try await api.must(
                .post, "/api/v2/filters", as: ada,
                .form("title=one&context[]=public&keywords_attributes[][keyword]=cats"))
            let filter = "/api/v2/filters/" + (made["id"]?.text ?? "")
            #expect(try await titles() == ["one"])
            try await api.must(.put, filter, as: ada, .form("title=two"))
            #expect(try await titles() == ["two"])
            let keyword = made["keywords"]?[0]?["id"]?.text ?? ""
            try await api.must(.put, "/api/v2/filters/keywords/\(keyword)", as: ada, .form("keyword=birds"))
            #expect(try await titles() == [])
            try await api.must(.post, filter + "/keywords", as: ada, .form("keyword=dogs"))
            #expect(try await titles() == ["two"])
            try await api.must(.put, filter, as: ada, .json(#"{"expires_in":60}"#))
            #expect(try await titles() == ["two"])
            api.test.store.clock.now += 60_000
            #expect(try await api.test.store.filters.logExpired() == 1)
            #expect(try await titles() == [])
            let renewed = try await api.must(.put, filter, as: ada, .json(#"{"expires_in":null}"#))
            #expect(renewed["expires_at"] == .null)
            #expect(try await titles() == ["two"])
            try await api.must(.delete, filter, as: ada)
            #expect(try await titles() == [])
        }
    }

    /// Both versions of the API show the same filters.
    @Test func versionsShareTheFilters() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let old = try await api.must(
                .post, "/api/v1/filters", as: ada,
                .form("phrase=cats&context[]=home&context[]=public&irreversible=true&expires_in=60"))
            let list = try await api.must(.get, "/api/v2/filters", as: ada)
            let filter = list[0]
            #expect(list.list?.count == 1 && filter?["title"]?.text == "cats")
            #expect(filter?["filter_action"]?.text == "hide" && filter?["expires_at"] == old["expires_at"])
            #expect(filter?["keywords"]?[0]?["id"] == old["id"])
            #expect(filter?["keywords"]?[0]?["whole_word"]?.flag == true)
            let path = "/api/v1/filters/" + (old["id"]?.text ?? "")
            let changed = try await api.must(
                .put, path, as: ada, .form("phrase=dogs&irreversible=false&whole_word=false&expires_in="))
            #expect(changed["phrase"]?.text == "dogs" && changed["whole_word"]?.flag == false)
            #expect(changed["irreversible"]?.flag == false && changed["expires_at"] == .null)
            #expect(changed["context"] == .list([.text("home"), .text("public")]))
            let keywords = "/api/v2/filters/\(filter?["id"]?.text ?? "")/keywords"
            try await api.must(.post, keywords, as: ada, .form("keyword=birds"))
            #expect(try await api.must(.get, "/api/v1/filters", as: ada).list?.count == 2)
            // This would change the other keyword, too.
            let refused = try await api.send(.put, path, as: ada, .form("context[]=thread"))
            #expect(refused.status == 422)
            for id in try await api.must(.get, "/api/v1/filters", as: ada).ids {
                try await api.must(.delete, "/api/v1/filters/\(id)", as: ada)
            }
            #expect(try await api.must(.get, "/api/v2/filters", as: ada) == .list([]))
        }
    }

    /// Objects in lists are sent with and without numbers, and as JSON.
    @Test(arguments: [
        WebBody.form(
            "keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=0&keywords_attributes[][keyword]=b"),
        .form(
            "keywords_attributes[1][keyword]=b&keywords_attributes[0][keyword]=a&keywords_attributes[0][whole_word]=0"),
        .multipart([
            ("keywords_attributes[][whole_word]", "false"), ("keywords_attributes[][keyword]", "a"),
            ("keywords_attributes[][keyword]", "b"),
        ]),
        .json(#"{"keywords_attributes":[{"keyword":"a","whole_word":false},{"keyword":"b"}]}"#),
        .json(#"{"keywords_attributes":{"0":{"keyword":"a","whole_word":false},"1":{"keyword":"b"}}}"#),
    ])
    func keywordsAreReadInEveryNotation(body: WebBody) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let made = try await api.must(
                .post, "/api/v2/filters?title=x&context[]=home", as: ada, body)
            let keywords = made["keywords"]?.list ?? []
            #expect(keywords.map { $0["keyword"]?.text } == ["a", "b"], "\(body.type)")
            #expect(keywords.map { $0["whole_word"]?.flag } == [false, true], "\(body.type)")
        }
    }
}
