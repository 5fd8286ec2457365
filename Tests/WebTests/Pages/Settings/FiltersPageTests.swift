import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The pages of filters, and what filters do with the posts on pages.
@Suite(.hangLimit)
struct FiltersPageTests {
    private static func ids(_ page: WebResponse) -> [String] {
        page.text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
    }

    private static func folded(_ page: WebResponse) -> Int { page.text.matches(of: /class="spoiler filtered"/).count }

    @Test func filterIsMadeChangedAndDeleted() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let fields =
                "title=Cats+%3Cb%3E&context[]=home&context[]=public&filter_action=hide&expires_in=3600"
                + "&keywords_attributes[0][keyword]=cat&keywords_attributes[0][whole_word]=false"
                + "&keywords_attributes[1][keyword]=&keywords_attributes[1][whole_word]=true"
            let made = try await api.send(.post, "/settings/filters", as: ada, .form(fields))
            let stored = try await api.must(.get, "/api/v2/filters", as: ada)
            let id = try #require(stored[0]?["id"]?.text)
            #expect(made.status == 303 && made.headers[.location] == "/settings/filters/\(id)?saved")
            #expect(stored[0]?["title"]?.text == "Cats <b>" && stored[0]?["filter_action"]?.text == "hide")
            #expect(stored[0]?["context"]?.list?.compactMap(\.text) == ["home", "public"])
            #expect(stored[0]?["keywords"]?.list?.count == 1)
            let end = stored[0]?["expires_at"]?.text
            #expect(end != nil)
            let list = try await api.send(.get, "/settings/filters", as: ada).text
            #expect(list.contains("<bdi>Cats &lt;b&gt;</bdi>") && list.contains("Hides posts"))
            let page = try await api.send(.get, "/settings/filters/\(id)", as: ada).text
            for part in [
                "value=\"cat\"", "value=\"hide\" selected", "value=\"home\" checked", "value=\"thread\">",
                "<option value=\"false\" selected>Anywhere", "value=\"\" selected>As it is",
            ] { #expect(page.contains(part), "\(part)") }
            // An empty keyword is removed, and another added; the expiry stays.
            let keyword = try #require(stored[0]?["keywords"]?[0]?["id"]?.text)
            let change =
                "title=Dogs&context[]=thread&filter_action=warn&expires_in=&keywords_attributes[0][id]=\(keyword)"
                + "&keywords_attributes[0][keyword]=&keywords_attributes[0][whole_word]=false"
                + "&keywords_attributes[1][keyword]=dog&keywords_attributes[1][whole_word]=true"
            #expect(try await api.send(.post, "/settings/filters/\(id)", as: ada, .form(change)).status == 303)
            let changed = try await api.must(.get, "/api/v2/filters/\(id)", as: ada)
            #expect(changed["keywords"]?.list?.compactMap { $0["keyword"]?.text } == ["dog"])
            #expect(changed["title"]?.text == "Dogs" && changed["expires_at"]?.text == end)
            #expect(changed["context"]?.list?.compactMap(\.text) == ["thread"])
            #expect(try await api.send(.post, "/settings/filters/\(id)/delete", as: ada, .form("")).status == 303)
            #expect(try await api.send(.get, "/settings/filters/\(id)", as: ada).status == 404)
        }
    }

    @Test func refusalsStandAtTheirFields() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let long = String(repeating: "k", count: 600)
            let rows = [
                ("title=&context[]=home", 0), ("title=t", 1), ("title=\(long)&context[]=home", 0),
                ("title=t&context[]=home&keywords_attributes[0][keyword]=a&keywords_attributes[1][keyword]=\(long)", 6),
            ]
            for (fields, number) in rows {
                let refused = try await api.send(.post, "/settings/filters", as: ada, .form(fields))
                #expect(refused.status == 422, "\(number)")
                #expect(refused.text.contains("id=\"field-0-\(number)-message\" role=\"alert\""), "\(number)")
            }
            #expect(try await api.must(.get, "/api/v2/filters", as: ada).list?.isEmpty == true)
        }
    }

    @Test func filtersOfOthersAreNotFound() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let filter = try await api.must(.post, "/api/v2/filters", as: ada, .form("title=t&context[]=home"))
            let path = "/settings/filters/\(try #require(filter["id"]?.text))"
            #expect(try await api.send(.get, path, as: bob).status == 404)
            for verb in ["", "/delete"] {
                let form = WebBody.form("title=mine&context[]=home")
                #expect(try await api.send(.post, path + verb, as: bob, form).status == 404, "\(verb)")
            }
            #expect(try await api.must(.get, "/api/v2/filters", as: ada)[0]?["title"]?.text == "t")
        }
    }

    /// The pages on which a post about cats by somebody else appears, by the context of a filter.
    private static func places(_ post: String, _ parent: String) -> [(context: String, path: String)] {
        [
            ("home", "/home"), ("public", "/"), ("public", "/tags/pets"), ("account", "/@bob"),
            ("thread", "/@bob/\(parent)"),
        ]
    }

    @Test func filtersFoldAndHidePostsInTheirContext() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            let parent = try await api.post("something else", by: bob)
            let post = try await api.post("my cat #pets", by: bob, replyTo: parent)
            let own = try await api.post("my own cat #pets", by: ada, replyTo: parent)
            for (context, path) in Self.places(post, parent) {
                // Replies have a tab of their own.
                let address = context == "account" ? path + "/with_replies" : path
                #expect(try await Self.ids(api.send(.get, address, as: ada)).contains(post), "\(path)")
                let fields = "title=Cats+%3C3&context[]=\(context)&keywords_attributes[][keyword]=cat"
                let filter = try await api.must(.post, "/api/v2/filters", as: ada, .form(fields))
                let id = try #require(filter["id"]?.text)
                let folded = try await api.send(.get, address, as: ada)
                #expect(Self.ids(folded).contains(post) && Self.folded(folded) == 1, "\(path)")
                #expect(folded.text.contains("<bdi>Cats &lt;3</bdi></summary>"), "\(path)")
                #expect(try await Self.folded(api.send(.get, address, as: bob)) == 0, "\(path)")
                try await api.must(.put, "/api/v2/filters/\(id)", as: ada, .form("filter_action=hide"))
                let hidden = try await api.send(.get, address, as: ada)
                #expect(!Self.ids(hidden).contains(post) && Self.folded(hidden) == 0, "\(path)")
                if context != "account" { #expect(Self.ids(hidden).contains(own), "\(path)") }
                // The page of the post itself, and other contexts.
                let page = try await api.send(.get, "/@bob/\(post)", as: ada)
                #expect(Self.ids(page).contains(post), "\(path)")
                try await api.must(.delete, "/api/v2/filters/\(id)", as: ada)
                #expect(try await Self.ids(api.send(.get, address, as: ada)).contains(post), "\(path)")
            }
        }
    }

    @Test func notificationsAreFilteredAndBookmarksAreNot() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let post = try await api.post("@ada my cat", by: bob)
            try await api.must(.post, "/api/v1/statuses/\(post)/bookmark", as: ada)
            let fields = "title=Cats&context[]=notifications&context[]=home&keywords_attributes[][keyword]=cat"
            let filter = try await api.must(.post, "/api/v2/filters", as: ada, .form(fields))
            let folded = try await api.send(.get, "/notifications", as: ada).text
            #expect(folded.contains("Filtered: Cats") && !folded.contains("my cat"))
            let id = try #require(filter["id"]?.text)
            try await api.must(.put, "/api/v2/filters/\(id)", as: ada, .form("filter_action=hide"))
            #expect(try await !api.send(.get, "/notifications", as: ada).text.contains("mentioned you"))
            #expect(try await Self.ids(api.send(.get, "/bookmarks", as: ada)) == [post])
        }
    }
}
