import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page of a profile, and the lists of followers and followed accounts.
@Suite(.hangLimit)
struct ProfilePageTests {
    private static let update = "/api/v1/accounts/update_credentials"

    /// The ids of the statuses on a page, in their order.
    private static func ids(_ page: WebResponse) -> [String] {
        page.text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
    }

    @Test func profileShowsWhatIsStored() async throws {
        try await WebAPI.run { api in
            let ada = try await api.admin("ada")
            let form =
                "display_name=Ada&note=Counts+%26+more&bot=true&fields_attributes[0][name]=Web"
                + "&fields_attributes[0][value]=https%3A%2F%2Fada.test%2F"
            try await api.must(.patch, Self.update, as: ada, .form(form))
            let page = try await api.send(.get, "/@ada").text
            for part in [
                "<title>Ada (@ada) – Test feed</title>", #"class="profile-banner u-featured" src="/headers/ada""#,
                #"<span class="badge">admin</span> <span class="badge">bot</span>"#, #"<dt dir="auto">Web</dt>"#,
                #"href="https://ada.test/" rel="me nofollow noopener noreferrer""#,
                #"<link rel="canonical" href="http://feed.test/@ada">"#,
                #"<meta property="og:image" content="http://feed.test/avatars/ada">"#,
                #"<meta property="og:description" content="Counts &amp; more">"#, #"class="u-url u-uid" href="/@ada""#,
                #"<a href="/@ada/followers">Followers</a></dt><dd>0</dd>"#,
            ] { #expect(page.contains(part), "\(part)") }
            #expect(!page.contains("noindex") && !page.contains(#"action="/@ada/"#))
            try await api.must(.patch, Self.update, as: ada, .form("noindex=true"))
            for path in ["/@ada", "/@ada/with_replies", "/@ada/media", "/@ada/followers", "/@ada/following"] {
                let page = try await api.send(.get, path)
                #expect(page.status == 200 && page.text.contains(#"<meta name="robots" content="noindex">"#), "\(path)")
            }
        }
    }

    @Test func pinnedPostsComeFirstAndOnlyOnce() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            var posts: [String] = []
            for text in ["first", "second", "third"] { posts.append(try await api.post(text, by: ada)) }
            #expect(try await Self.ids(api.send(.get, "/@ada")) == posts.reversed())
            try await api.must(.post, "/api/v1/statuses/\(posts[0])/pin", as: ada)
            let page = try await api.send(.get, "/@ada")
            #expect(Self.ids(page) == [posts[0], posts[2], posts[1]] && page.text.contains("Pinned posts"))
            // On other pages, it stands where it was posted.
            #expect(try await Self.ids(api.send(.get, "/@ada?max_id=\(posts[1])")) == [posts[0]])
            try await api.must(.delete, "/api/v1/statuses/\(posts[0])", as: ada)
            let after = try await api.send(.get, "/@ada")
            #expect(Self.ids(after) == [posts[2], posts[1]] && !after.text.contains("Pinned posts"))
        }
    }

    @Test func tabsShowRepliesAndMediaAsTheAPIDoes() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: bob)
            let own = try await api.post("own", by: ada)
            let reply = try await api.post("@bob reply", by: ada, replyTo: start)
            let file = try #require(try await MediaAPITests.upload(api, by: ada, 1, []).ids.first)
            let picture = try await api.post("picture", by: ada, more: "&media_ids[]=" + file)
            for (path, expected) in [
                ("/@ada", [picture, own]), ("/@ada/with_replies", [picture, reply, own]), ("/@ada/media", [picture]),
            ] {
                let page = try await api.send(.get, path)
                #expect(Self.ids(page) == expected, "\(path)")
                #expect(page.text.contains(#"<a href="\#(path)" aria-current="page">"#), "\(path)")
            }
            let older = try await api.send(.get, "/@ada/with_replies?limit=1")
            #expect(older.text.contains("href=\"/@ada/with_replies?max_id=\(picture)\""))
        }
    }

    @Test func followersArePagedAndHiddenIfTheAccountWishes() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for name in ["bob", "eve"] {
                let follower = try await api.person(name)
                try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: follower)
            }
            let first = try await api.send(.get, "/@ada/followers?limit=1").text
            #expect(first.contains(#"href="/@eve""#) && !first.contains(#"href="/@bob""#))
            let next = try #require(first.firstMatch(of: /href="(\/@ada\/followers\?max_id=\d+)"/))
            let second = try await api.send(.get, String(next.1) + "&limit=1").text
            #expect(second.contains(#"href="/@bob""#) && !second.contains(#"href="/@eve""#))
            #expect(try await api.send(.get, "/@bob/following").text.contains(#"class="author" href="/@ada""#))
            try await api.must(.patch, Self.update, as: ada, .form("hide_collections=true"))
            for (viewer, isShown) in [(nil, false), (ada, true)] {
                let list = try await api.send(.get, "/@ada/followers", as: viewer).text
                #expect(list.contains(#"href="/@bob""#) == isShown && list.contains("does not show") == !isShown)
                let profile = try await api.send(.get, "/@ada", as: viewer).text
                #expect(profile.contains(#"href="/@ada/followers""#) == isShown)
            }
            for path in ["/@nobody/followers", "/@nobody/media"] {
                #expect(try await api.send(.get, path).status == 404, "\(path)")
            }
        }
    }

    @Test func hostileProfilesAreInert() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let hostile = HTMLForm.escaped("\u{600}\"><script>alert(1)</script><img src=x onerror=alert(1)>\u{202E}")
            let name = HTMLForm.escaped("\u{600}\"><script>alert()</script>")
            let link = HTMLForm.escaped(#"javascript:alert(1) https://x.test/" rel="nofollow" onclick="alert(1)"#)
            let form =
                "display_name=\(name)&note=\(hostile)&fields_attributes[0][name]=\(hostile)"
                + "&fields_attributes[0][value]=\(hostile)&fields_attributes[1][name]=b"
                + "&fields_attributes[1][value]=\(link)"
            try await api.must(.patch, Self.update, as: ada, .form(form))
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: bob)
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/note", as: bob, .form("comment=\(hostile)"))
            for path in ["/@ada", "/@ada/followers", "/@bob/followers", "/@ada/report", "/@ada/note"] {
                let page = try await api.send(.get, path, as: bob)
                #expect(page.status == 200, "\(path)")
                for part in ["<script>alert", "<img src=x", "href=\"javascript:", " onclick=\"alert"] {
                    #expect(!page.text.contains(part), "\(path): \(part)")
                }
            }
        }
    }

    @Test(arguments: [
        (
            #"<a href="https://a.test/" rel="nofollow noopener">a</a>"#,
            #"<a href="https://a.test/" rel="me nofollow noopener">a</a>"#
        ),
        ("\u{600} rel=&quot;nofollow&quot;", "\u{600} rel=&quot;nofollow&quot;"), ("", ""),
        (#"x\#u{600} rel="nofollow" rel="nofollow""#, #"x\#u{600} rel="me nofollow" rel="me nofollow""#),
    ])
    func linksOfFieldsClaimTheSamePerson(html: String, marked: String) {
        #expect(ProfileLinks.marked(html) == marked)
    }
}
