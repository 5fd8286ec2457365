import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Things that accounts hide from others, and featured accounts on their profile.
@Suite(.hangLimit)
struct PrivacyTests {
    @Test func accountHidesItsFollowersFromOthers() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: bob)
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            for (isHidden, expected) in [(true, []), (false, [bob.id])] {
                let changed = try await api.must(
                    .patch, "/api/v1/accounts/update_credentials", as: ada, .form("hide_collections=\(isHidden)"))
                #expect(changed["hide_collections"]?.flag == isHidden)
                #expect(changed["source"]?["hide_collections"]?.flag == isHidden)
                for list in ["followers", "following"] {
                    let path = "/api/v1/accounts/\(ada.id)/\(list)"
                    #expect(try await api.must(.get, path, as: ada).ids == [bob.id])
                    #expect(try await api.must(.get, path, as: bob).ids == expected)
                    #expect(try await api.send(.get, path).json?.ids == expected)
                }
            }
        }
    }

    @Test func flagsAreKeptUnlessTheyAreSent() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = "/api/v1/accounts/update_credentials"
            var flags = ["indexable": true, "hide_collections": false, "noindex": false]
            for (form, name, value) in [
                ("indexable=false", "indexable", false), ("noindex=1", "noindex", true), ("note=x", "noindex", true),
                ("indexable=true", "indexable", true),
            ] {
                flags[name] = value
                let changed = try await api.must(.patch, path, as: ada, .form(form))
                for (name, value) in flags { #expect(changed[name]?.flag == value, "\(name) after \(form)") }
                #expect(changed["roles"] == .list([]))
            }
        }
    }

    /// The page of the profile and those of its statuses, but not those that show many authors.
    @Test func searchEnginesAreAskedToIgnoreAnAccount() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("hello", by: ada)
            for isHidden in [false, true, false] {
                try await api.must(
                    .patch, "/api/v1/accounts/update_credentials", as: ada, .form("noindex=\(isHidden)"))
                for (path, expected) in [("/@ada", isHidden), ("/@ada/\(id)", isHidden), ("/", false)] {
                    let page = try await api.send(.get, path)
                    #expect(page.status == 200)
                    #expect(page.text.contains(#"<meta name="robots" content="noindex">"#) == expected, "\(path)")
                }
            }
        }
    }

    /// What has no page of its own says so in a header field.
    @Test func searchEnginesAreAskedToIgnoreMediaAndFeedsOfAnAccount() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let id = try await api.post("hello", by: ada)
            _ = try await api.post("me too", by: bob, replyTo: id)
            let media = try await MediaAPITests.upload(api, by: ada)
            let update = "/api/v1/accounts/update_credentials"
            try await api.must(.patch, update, as: ada, WebBody.files([("avatar", SampleMedia.png(1))]))
            let own = [
                try MediaAPITests.path(media["url"]), try MediaAPITests.path(media["preview_url"]), "/avatars/ada",
                "/@ada/feed.json", "/@ada.rss", "/@ada/\(id)/feed.atom",
            ]
            for isHidden in [false, true, false] {
                try await api.must(.patch, update, as: ada, .form("noindex=\(isHidden)"))
                for (path, expected) in own.map({ ($0, isHidden) }) + [("/feed.json", false), ("/@bob.rss", false)] {
                    let served = try await api.send(.get, path)
                    #expect(
                        served.status == 200 && served.headers[.robotsTag] == (expected ? "noindex" : nil), "\(path)")
                    let tag = try #require(served.headers[.eTag])
                    let known = try await api.send(.get, path, headers: ["If-None-Match": tag])
                    #expect(known.status == 304 && known.headers[.robotsTag] == (expected ? "noindex" : nil), "\(path)")
                }
            }
        }
    }

    @Test func administratorsHaveARole() async throws {
        try await WebAPI.run { api in
            let root = try await api.admin("root")
            let account = try await api.must(.get, "/api/v1/accounts/\(root.id)", as: root)
            #expect(account["roles"]?[0]?["name"]?.text == "Admin" && account["roles"]?.list?.count == 1)
        }
    }

    @Test func endorsedAccountsAreListed() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            var others: [Member] = []
            for name in ["bob", "cleo", "dora"] {
                let other = try await api.person(name)
                try await api.must(.post, "/api/v1/accounts/\(other.id)/follow", as: ada)
                let shown = try await api.must(.post, "/api/v1/accounts/\(other.id)/pin", as: ada)
                #expect(shown["endorsed"]?.flag == true)
                others.insert(other, at: 0)
            }
            let ids = others.map(\.id)
            #expect(try await api.must(.get, "/api/v1/endorsements", as: ada).ids == ids)
            let first = try await api.send(.get, "/api/v1/accounts/\(ada.id)/endorsements?limit=2")
            #expect(first.json?.ids == Array(ids.prefix(2)))
            #expect(first.headers[try #require(HTTPField.Name("Link"))]?.contains("max_id=") == true)
            let gone = try await api.must(.post, "/api/v1/accounts/\(ids[0])/unendorse", as: ada)
            #expect(gone["endorsed"]?.flag == false)
            #expect(try await api.must(.get, "/api/v1/endorsements", as: ada).ids == Array(ids.dropFirst()))
        }
    }

    @Test func familiarFollowersRespectWhatTheAccountHides() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            try await api.must(.post, "/api/v1/accounts/\(cleo.id)/follow", as: bob)
            let path = "/api/v1/accounts/familiar_followers"
            // In the query, and in the body, as Mastodon.py sends it.
            let query = try await api.must(.get, path + "?id[]=\(cleo.id)&id[]=1", as: ada)
            let body = try await api.must(.get, path, as: ada, .json(#"{"id":["\#(cleo.id)"]}"#))
            for found in [query, body] {
                #expect(found.ids == [cleo.id] && found[0]?["accounts"]?.ids == [bob.id])
            }
            try await api.must(
                .patch, "/api/v1/accounts/update_credentials", as: cleo, .form("hide_collections=true"))
            #expect(try await api.must(.get, path + "?id[]=\(cleo.id)", as: ada)[0]?["accounts"] == .list([]))
        }
    }

    /// A client may say which version of a marker it has seen.
    @Test func movedMarkerIsAConflict() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = "/api/v1/markers"
            let first = try await api.must(.post, path, as: ada, .json(#"{"home":{"last_read_id":"5"}}"#))
            #expect(first["home"]?["version"]?.number == 0)
            let moved = try await api.must(
                .post, path, as: ada, .json(#"{"home":{"last_read_id":"6","version":0}}"#))
            #expect(moved["home"]?["version"]?.number == 1)
            let late = try await api.send(
                .post, path, as: ada, .json(#"{"home":{"last_read_id":"7","version":0}}"#))
            #expect(late.status == 409, "\(late.summary)")
            #expect(late.json?["error"]?.text == "Conflict during update, please try again")
            let kept = try await api.must(.get, path + "?timeline[]=home", as: ada)
            #expect(kept["home"]?["last_read_id"]?.text == "6")
        }
    }
}
