import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The pages of lists, bookmarks, favourites and followed hashtags.
@Suite(.hangLimit)
struct ListsPageTests {
    private static func ids(_ page: WebResponse) -> [String] {
        page.text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
    }

    @Test func listIsMadeFilledChangedAndDeleted() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            let fields = "title=Close+%3Cb%3E&replies_policy=none&exclusive=true"
            let made = try await api.send(.post, "/lists", as: ada, .form(fields))
            let id = try #require(try await api.must(.get, "/api/v1/lists", as: ada).ids.first)
            #expect(made.status == 303 && made.headers[.location] == "/lists/\(id)/members")
            let all = try await api.send(.get, "/lists", as: ada)
            #expect(all.text.contains(#"<a href="/lists/\#(id)"><bdi>Close &lt;b&gt;</bdi></a>"#))
            let form = try await api.send(.get, "/lists/\(id)/edit", as: ada).text
            for part in [#"value="none" selected"#, #"value="true" selected"#, #"value="Close &lt;b&gt;""#] {
                #expect(form.contains(part), "\(part)")
            }
            let post = try await api.post("by bob", by: bob)
            #expect(try await Self.ids(api.send(.get, "/lists/\(id)", as: ada)) == [])
            let added = try await api.send(.post, "/lists/\(id)/members", as: ada, .form("name=@Bob"))
            #expect(added.status == 303)
            #expect(try await api.send(.get, "/lists/\(id)/members", as: ada).text.contains(#"href="/@bob""#))
            #expect(try await Self.ids(api.send(.get, "/lists/\(id)", as: ada)) == [post])
            let renamed = try await api.send(
                .post, "/lists/\(id)/edit", as: ada, .form("title=Friends&replies_policy=list&exclusive=false"))
            #expect(renamed.status == 303 && renamed.headers[.location] == "/lists/\(id)")
            let list = try await api.must(.get, "/api/v1/lists/\(id)", as: ada)
            #expect(list["title"]?.text == "Friends" && list["exclusive"]?.flag == false)
            #expect(
                try await api.send(.get, "/lists/\(id)", as: ada).text.contains("<h1 class=\"page-heading\">Friends"))
            let removed = try await api.send(.post, "/lists/\(id)/members/remove", as: ada, .form("id=\(bob.id)"))
            #expect(removed.status == 303)
            #expect(try await Self.ids(api.send(.get, "/lists/\(id)", as: ada)) == [])
            #expect(
                try await api.send(.get, "/lists/\(id)/delete", as: ada).text.contains("Delete the list “Friends”?"))
            #expect(try await api.send(.post, "/lists/\(id)/delete", as: ada, .form("")).headers[.location] == "/lists")
            #expect(try await api.send(.get, "/lists/\(id)", as: ada).status == 404)
        }
    }

    @Test func refusedFormsKeepWhatWasTyped() async throws {
        try await WebAPI.run { api in
            let (ada, _) = (try await api.person("ada"), try await api.person("bob"))
            let long = String(repeating: "t", count: 257)
            let refused = try await api.send(.post, "/lists", as: ada, .form("replies_policy=none&title=" + long))
            #expect(refused.status == 422 && refused.text.contains("value=\"\(long)\""))
            #expect(refused.text.contains(#"aria-invalid="true" aria-describedby="title-message""#))
            #expect(refused.text.contains(#"value="none" selected"#))
            let list = try await api.must(.post, "/api/v1/lists", as: ada, .form("title=x"))
            let id = try #require(list["id"]?.text)
            for name in ["bob", "nobody", "%3Cscript%3E", ""] {
                let member = try await api.send(.post, "/lists/\(id)/members", as: ada, .form("name=" + name))
                #expect(member.status == 422 && member.text.contains(#"aria-describedby="name-message""#), "\(name)")
                #expect(!member.text.contains("<script>") && member.text.contains("You follow nobody of this name"))
            }
            let tag = try await api.send(.post, "/followed_tags", as: ada, .form("name=two+words"))
            #expect(tag.status == 422 && tag.text.contains("value=\"two words\""))
        }
    }

    @Test func listsOfOthersAreNotFound() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let id = try #require(try await api.must(.post, "/api/v1/lists", as: ada, .form("title=x"))["id"]?.text)
            for path in ["", "/edit", "/members", "/delete"] {
                #expect(try await api.send(.get, "/lists/\(id)" + path, as: ada).status == 200, "\(path)")
                #expect(try await api.send(.get, "/lists/\(id)" + path, as: bob).status == 404, "\(path)")
                #expect(try await api.send(.get, "/lists/\(id)" + path).status == 302, "\(path)")
            }
            let form = WebBody.form("title=mine&name=bob&id=\(ada.id)")
            for path in ["/edit", "/members", "/members/remove", "/delete"] {
                #expect(try await api.send(.post, "/lists/\(id)" + path, as: bob, form).status == 404, "\(path)")
            }
            #expect(try await api.must(.get, "/api/v1/lists/\(id)", as: ada)["title"]?.text == "x")
        }
    }

    @Test func bookmarksAndFavouritesAreThoseOfTheAPI() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let posts = [try await api.post("one", by: bob), try await api.post("two", by: bob)]
            for (verb, path) in [("bookmark", "/bookmarks"), ("favourite", "/favourites")] {
                #expect(try await Self.ids(api.send(.get, path, as: ada)) == [])
                for id in posts.reversed() { try await api.must(.post, "/api/v1/statuses/\(id)/\(verb)", as: ada) }
                let listed = try await api.must(.get, "/api/v1" + path, as: ada).ids
                #expect(try await Self.ids(api.send(.get, path, as: ada)) == listed && listed == posts)
                let first = try await api.send(.get, path + "?limit=1", as: ada)
                let next = try #require(first.text.firstMatch(of: /href="(\/\w+\?max_id=\d+)"/))
                #expect(try await Self.ids(api.send(.get, String(next.1), as: ada)) == [posts[1]])
                try await api.must(.post, "/api/v1/statuses/\(posts[0])/un\(verb)", as: ada)
                #expect(try await Self.ids(api.send(.get, path, as: ada)) == [posts[1]])
                #expect(try await Self.ids(api.send(.get, path, as: bob)) == [])
                // A token that may not read statuses has no page of its own to share.
                let narrow = try await api.limited(ada, scopes: "read:\(path.dropFirst())")
                #expect(try await api.send(.get, path, as: narrow).status == 403, "\(path)")
            }
        }
    }

    @Test func hashtagsAreFollowedOnTheirPageAndInTheList() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("about #Swift", by: ada)
            #expect(try await !api.send(.get, "/tags/swift").text.contains("/tags/swift/follow"))
            #expect(try await api.send(.get, "/tags/swift", as: ada).text.contains(#"action="/tags/swift/follow""#))
            let followed = try await api.send(.post, "/tags/Swift/follow", as: ada, .form(""))
            #expect(followed.status == 303 && followed.headers[.location] == "/tags/swift")
            #expect(try await api.send(.get, "/tags/swift", as: ada).text.contains(#"action="/tags/swift/unfollow""#))
            #expect(try await api.send(.post, "/followed_tags", as: ada, .form("name=%23Rust")).status == 303)
            let list = try await api.send(.get, "/followed_tags", as: ada).text
            #expect(list.contains("<bdi>#Swift</bdi>") && list.contains(#"href="/tags/rust""#))
            let tags = try await api.must(.get, "/api/v1/followed_tags", as: ada)
            #expect(tags.list?.compactMap { $0["name"]?.text } == ["rust", "Swift"])
            let ended = try await api.send(.post, "/tags/swift/unfollow", as: ada, .form("next=%2Ffollowed_tags"))
            #expect(ended.headers[.location] == "/followed_tags")
            #expect(try await !api.send(.get, "/followed_tags", as: ada).text.contains("#Swift"))
            #expect(try await api.send(.post, "/tags/a%20b/follow", as: ada, .form("")).status == 404)
            let visitor = try await api.send(
                .post, "/tags/swift/follow", .form(""), headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(visitor.status == 401)
        }
    }
}
