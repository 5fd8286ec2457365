import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Feeds as feed readers get them.
@Suite(.hangLimit)
struct FeedTests {
    private static func titles(_ api: WebAPI, _ path: String) async throws -> [String] {
        let response = try await api.send(.get, path)
        try #require(response.status == 200, "\(path): \(response.summary)")
        return try titles(response)
    }

    private static func titles(_ response: WebResponse) throws -> [String] {
        if let json = response.json { return json["items"]?.list?.compactMap { $0["title"]?.text } ?? [] }
        let root = try XMLNode.parse(response.body)
        let entries = root.name == "feed" ? root.all("entry") : root["channel"]?.all("item") ?? []
        return entries.compactMap { $0.text(of: "title") }
    }

    private static func suspend(_ member: Member, _ api: WebAPI) async throws {
        _ = try await api.test.store.moderation.perform(.suspend, on: try #require(Int64(member.id)))
    }

    /// Followers-only, unlisted and direct statuses and boosts appear nowhere; replies to them do, if they are public.
    @Test func feedsContainPublicStatusesOnly() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start #x", by: ada)
            var hidden: [String] = []
            for visibility in ["unlisted", "private", "direct"] {
                hidden.append(try await api.post("@bob \(visibility) #x", by: ada, visibility))
                _ = try await api.post("@ada \(visibility) reply #x", by: bob, visibility, replyTo: start)
            }
            let other = try await api.post("bob's own", by: bob)
            _ = try await api.must(.post, "/api/v1/statuses/\(other)/reblog", as: ada)
            let reply = try await api.post("public reply #x", by: bob, replyTo: start)
            _ = try await api.post("second #x", by: ada, replyTo: reply)
            for format in FeedFormat.allCases.map(\.rawValue) {
                let site = ["second #x", "public reply #x", "bob's own", "start #x"]
                #expect(try await Self.titles(api, "/feed.\(format)") == site)
                #expect(try await Self.titles(api, "/@ada/feed.\(format)") == ["second #x", "start #x"])
                let tagged = ["second #x", "public reply #x", "start #x"]
                #expect(try await Self.titles(api, "/tags/x/feed.\(format)") == tagged)
                let replies = ["second #x", "public reply #x"]
                #expect(try await Self.titles(api, "/@ada/\(start)/feed.\(format)") == replies)
                for id in hidden { #expect(try await api.send(.get, "/@ada/\(id)/feed.\(format)").status == 404) }
            }
            #expect(try await Self.titles(api, "/@ADA.rss") == ["second #x", "start #x"])
            #expect(try await Self.titles(api, "/%40ada.rss") == ["second #x", "start #x"])
            #expect(try await Self.titles(api, "/tags/X.rss") == ["second #x", "public reply #x", "start #x"])
        }
    }

    @Test func unknownFeedsAreNotFound() async throws {
        try await WebAPI.run { api in
            let (ada, eve) = (try await api.person("ada"), try await api.person("eve"))
            let start = try await api.post("start", by: ada)
            let evil = try await api.post("evil", by: eve, replyTo: start)
            try await Self.suspend(eve, api)
            for path in [
                "/@nobody/feed.json", "/@nobody.rss", "/@eve/feed.atom", "/@eve.rss", "/@eve/\(evil)/feed.rss",
                "/@eve/\(start)/feed.rss", "/@ada/1/feed.json", "/@ada/x/feed.json", "/feed.xml", "/@ada.atom",
            ] { #expect(try await api.send(.get, path).status == 404, "\(path)") }
            for path in ["/feed.json", "/@ada/\(start)/feed.json"] {
                let titles = try await Self.titles(api, path)
                #expect(!titles.contains("evil"), "\(path)")
            }
            #expect(try await api.send(.get, "/feed.json?max_id=x").status == 400)
            #expect(try await api.send(.post, "/feed.json").status == 405)
        }
    }

    @Test func accountsThatAwaitApprovalHaveNoFeed() async throws {
        try await WebAPI.run(registration: .approval) { api in
            _ = try await api.test.store.registrations.register(
                NewAccount(username: "eve"), SignUp(mode: .approval, reason: "please"))
            #expect(try await api.send(.get, "/@eve/feed.json").status == 404)
        }
    }

    /// Every status once, whatever the format, and the last page names no other.
    @Test(arguments: FeedFormat.allCases) func pagesContainEverythingOnce(format: FeedFormat) async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            var expected: [String] = []
            for number in 0..<90 {
                expected.insert("number \(number) #x", at: 0)
                _ = try await api.post("number \(number) #x", by: bob, replyTo: start)
                // They shorten no page of the account.
                if number % 3 == 0 { _ = try await api.post("unlisted", by: bob, "unlisted") }
            }
            for path in ["/@bob/feed", "/tags/x/feed", "/@ada/\(start)/feed"] {
                var (next, found, counts): (String?, [String], [Int]) = (path + "." + format.rawValue, [], [])
                while let address = next, counts.count < 5 {
                    let response = try await api.send(.get, address)
                    let titles = try Self.titles(response)
                    found += titles
                    counts.append(titles.count)
                    next = try Self.next(response)?.replacingOccurrences(of: "http://feed.test", with: "")
                }
                #expect(found == expected && counts == [40, 40, 10], "\(path) \(counts)")
            }
        }
    }

    private static func next(_ response: WebResponse) throws -> String? {
        if let json = response.json { return json["next_url"]?.text }
        let root = try XMLNode.parse(response.body)
        return (root["channel"] ?? root).link("next")
    }

    @Test(arguments: FeedFormat.allCases) func editsAndDeletionsAppear(format: FeedFormat) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let (first, second) = (try await api.post("first", by: ada), try await api.post("second", by: ada))
            let path = "/@ada/feed." + format.rawValue
            let before = try await api.send(.get, path)
            _ = try await api.must(.put, "/api/v1/statuses/\(first)", as: ada, .form("status=edited"))
            let after = try await api.send(.get, path)
            #expect(try Self.titles(after) == ["second", "edited"])
            #expect(before.headers[.eTag] != after.headers[.eTag])
            let marks: [FeedFormat: String] = [.json: "\"date_modified\":", .rss: "<atom:updated>"]
            if let mark = marks[format] { #expect(!before.text.contains(mark) && after.text.contains(mark)) }
            if format == .atom {
                let feed = try XMLNode.parse(after.body)
                let times = feed.all("entry").map { $0.text(of: "updated") ?? "" }
                #expect(times[1] > times[0] && feed.text(of: "updated") == times[1])
            }
            _ = try await api.must(.delete, "/api/v1/statuses/\(second)", as: ada)
            #expect(try await Self.titles(api, path) == ["edited"])
        }
    }
}
