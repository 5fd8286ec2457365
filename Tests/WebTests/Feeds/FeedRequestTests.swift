import FeedAPI
import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// Conditional requests for feeds, the switch, and how readers find feeds.
@Suite(.hangLimit)
struct FeedRequestTests {
    @Test(arguments: FeedFormat.allCases) func unchangedFeedsAreNotSentAgain(format: FeedFormat) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("hello", by: ada)
            let path = "/feed." + format.rawValue
            // In the second in which it was built, its date is the one before.
            let first = try await api.send(.get, path)
            #expect(first.headers[.contentType] == format.mediaType + "; charset=utf-8")
            #expect(first.headers[.vary] == "Accept-Encoding" && first.headers[.cacheControl] == "no-cache")
            let early = try #require(first.headers[.lastModified])
            #expect(try await api.send(.get, path, headers: ["If-Modified-Since": early]).status == 200)
            let again = try await api.send(.get, path)
            let (tag, date) = (try #require(again.headers[.eTag]), try #require(again.headers[.lastModified]))
            #expect(first.headers[.eTag] == tag)
            let both = ["If-None-Match": tag, "If-Modified-Since": early]
            for headers in [["If-None-Match": tag], ["If-Modified-Since": date], both] {
                let response = try await api.send(.get, path, headers: headers)
                #expect(response.status == 304 && response.body.isEmpty && response.headers[.eTag] == tag)
            }
            // The entity tag takes precedence.
            let other = ["If-None-Match": "\"x\"", "If-Modified-Since": date]
            #expect(try await api.send(.get, path, headers: other).status == 200)
            let head = try await api.send(.head, path)
            #expect(head.status == 200 && head.body.isEmpty && head.headers[.eTag] == tag)
            #expect(head.headers[.contentLength] == String(again.body.count))
            _ = try await api.post("more", by: ada)
            for headers in [["If-None-Match": tag], ["If-Modified-Since": date], both] {
                #expect(try await api.send(.get, path, headers: headers).status == 200)
            }
        }
    }

    /// Counts are not part of feeds, so a reader downloads nothing because somebody likes a post.
    @Test func favouritesChangeNothing() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("hello", by: ada)
            let tag = try #require(try await api.send(.get, "/@ada/feed.atom").headers[.eTag])
            _ = try await api.must(.post, "/api/v1/statuses/\(id)/favourite", as: ada)
            #expect(try await api.send(.get, "/@ada/feed.atom", headers: ["If-None-Match": tag]).status == 304)
        }
    }

    @Test func longFeedsAreCompressed() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for _ in 0..<8 { _ = try await api.post(String(repeating: "word ", count: 60), by: ada) }
            for _ in 0..<2 { _ = try await api.send(.get, "/feed.rss", headers: ["Accept-Encoding": "gzip"]) }
            let response = try await api.send(.get, "/feed.rss", headers: ["Accept-Encoding": "gzip"])
            #expect(response.headers[.contentEncoding] == "gzip" && response.body.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test func settingSwitchesFeedsOff() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("hello #x", by: ada)
            let paths = ["/feed.json", "/@ada/feed.atom", "/@ada.rss", "/tags/x.rss", "/@ada/\(id)/feed.rss"]
            for path in paths { #expect(try await api.send(.get, path).status == 200, "\(path)") }
            var values = ReloadableSettings.Values()
            values.servesFeeds = false
            api.test.settings.replace(with: values)
            for path in paths { #expect(try await api.send(.get, path).status == 404, "\(path)") }
            for path in ["/", "/@ada", "/tags/x", "/@ada/\(id)"] {
                let page = try await api.send(.get, path).text
                #expect(!page.contains("feed.atom") && !page.contains("feed.json"), "\(path)")
            }
            api.test.settings.replace(with: ReloadableSettings.Values())
            for path in paths { #expect(try await api.send(.get, path).status == 200, "\(path)") }
        }
    }

    /// The feeds that a page links to, that of the page before that of the site.
    @Test func pagesLinkToFeeds() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("hello #x", by: ada)
            let quiet = try await api.post("quiet", by: ada, "unlisted")
            let rows: [(path: String, feeds: [String], isShown: Bool)] = [
                ("/", ["/feed"], true), ("/@ada", ["/@ada/feed", "/feed"], true),
                ("/tags/x", ["/tags/x/feed", "/feed"], true), ("/@ada/\(id)", ["/@ada/\(id)/feed", "/feed"], false),
                ("/@ada/\(quiet)", ["/feed"], false), ("/@nobody", ["/feed"], false),
            ]
            for row in rows {
                let page = try await api.send(.get, row.path, headers: ["Accept": "text/html"]).text
                let found = page.matches(of: /<link rel="alternate" type="([^"]+)"[^>]* href="([^"]+)">/)
                let expected = row.feeds.flatMap { feed in [".atom", ".rss", ".json"].map { feed + $0 } }
                #expect(found.map { String($0.2) } == expected, "\(row.path)")
                #expect(page.contains("class=\"feed-links\"") == row.isShown, "\(row.path)")
                for address in found {
                    let response = try await api.send(.get, String(address.2))
                    #expect(response.headers[.contentType] == String(address.1) + "; charset=utf-8")
                }
            }
        }
    }

    /// Readers recognize the statuses after the host has changed, and after a restart.
    @Test func idsDoNotDependOnTheHost() async throws {
        let test = try TestServices(base: "http://feed.test")
        let (account, _) = try await test.account("ada")
        try await test.store.post("hello", by: account)
        let moved = try TestServices(base: "https://other.example", store: test.store)
        func ids(_ test: TestServices) async throws -> [String] {
            let body = try await TestClient(test.services).execute(uri: "/feed.atom", method: .get) {
                Data($0.body.readableBytesView)
            }
            let feed = try XMLNode.parse(body)
            return ([feed] + feed.all("entry")).compactMap { $0.text(of: "id") }
        }
        let (found, same) = (try await ids(test), try await ids(moved))
        #expect(found.count == 2 && Set(found).count == 2 && same == found)
    }
}
