import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The replies on the page of a status are a tree, and every post says what it replies to.
@Suite(.hangLimit)
struct PageThreadTests {
    /// For each status on the page, in order, its id and how many lists of replies it is in.
    private static func tree(_ page: String) -> [String] {
        var depth = 0
        var found: [String] = []
        for part in page.matches(of: /<ol class="replies"|<\/ol>|data-id="(\d+)"/) {
            if let id = part.1 {
                found.append("\(depth) \(id)")
            } else {
                depth += part.0.hasPrefix("<ol") ? 1 : -1
            }
        }
        #expect(depth == 0)
        return found
    }

    private static func reply(_ id: Int64, to parent: Int64?) -> Status {
        Status(
            id: id, account: Account(id: 1, username: "ada", createdAt: 0), createdAt: 0, text: "", content: "",
            inReplyToID: parent)
    }

    @Test func repliesAreNestedLists() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            let first = try await api.post("first", by: bob, replyTo: start)
            let inner = try await api.post("inner", by: ada, replyTo: first)
            let second = try await api.post("second", by: bob, replyTo: start)
            let page = try await api.send(.get, "/@ada/\(start)").text
            #expect(Self.tree(page) == ["0 \(start)", "1 \(first)", "2 \(inner)", "1 \(second)"])
            let lower = try await api.send(.get, "/@bob/\(first)").text
            #expect(Self.tree(lower) == ["0 \(start)", "0 \(first)", "1 \(inner)"])
            #expect(page.contains("<a href=\"/@ada/\(start)\">") && page.contains("2 replies"))
            #expect(lower.contains("1 reply<"))
        }
    }

    @Test func levelsAreThoseOfTheParents() {
        let replies = [(1, 0), (2, 1), (3, 2), (4, 1), (5, 0), (6, 99), (7, 6)].map { Self.reply($0, to: $1) }
        #expect(ReplyLevels.of(replies, to: 0) == [1, 2, 3, 2, 1, 1, 2])
        #expect(ReplyLevels.of([Self.reply(1, to: nil)], to: 0) == [1])
    }

    @Test func depthIsBounded() throws {
        let chain = (1...80).map { Self.reply($0, to: $0 - 1) }
        let site = try TestServices().services.site
        var page = PageContext(site: site.settings.site, edition: try site.assets.edition(), base: "")
        page.show(PageThread(Self.reply(0, to: nil), in: StatusContext(ancestors: [], descendants: chain)))
        let depths = Self.tree(String(decoding: page.html(), as: UTF8.self)).map { $0.prefix { $0 != " " } }
        #expect(depths.prefix(8) == ["0", "1", "2", "3", "4", "5", "6", "6"] && Set(depths.suffix(60)) == ["6"])
    }

    @Test func repliesNameWhomTheyAnswer() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            let reply = try await api.post("without a mention", by: bob, replyTo: start)
            let own = try await api.post("to myself", by: bob, replyTo: reply)
            let line = "<a class=\"u-in-reply-to\" href=\"/@ada/\(start)\"><bdi>@ada</bdi></a>"
            for path in ["/", "/@bob/with_replies", "/@bob/\(reply)", "/@ada/\(start)"] {
                let page = try await api.send(.get, path).text
                #expect(page.contains(line), "\(path)")
                #expect(page.contains("href=\"/@bob/\(reply)\"><bdi>@bob</bdi></a>"), "\(path)")
            }
            _ = try await api.must(.delete, "/api/v1/statuses/\(start)", as: ada)
            #expect(try await !api.send(.get, "/@bob/\(own)").text.contains("Optional("))
        }
    }

    @Test func titlesAndAddressesDiffer() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let mark = String(repeating: "\u{301}", count: 400)
            for (text, title) in [
                ("hello <world>", "ada: hello &lt;world&gt; – "), ("\u{202E}evil\ntwo", "ada: evil two – "),
                ("a" + mark, "ada: a"), (String(repeating: "word ", count: 60), "word… – "),
            ] {
                let id = try await api.post(text, by: ada)
                let page = try await api.send(.get, "/@ada/\(id)").text
                let shown = try #require(page.firstMatch(of: /<title>([^<]*)<\/title>/)).1
                #expect(shown.utf8.contains(title.utf8) && shown.unicodeScalars.count < 400, "\(shown)")
                #expect(page.contains("<link rel=\"canonical\" href=\"http://feed.test/@ada/\(id)\">"))
            }
            for path in ["/", "/@ada", "/tags/x", "/about"] {
                let link = "<link rel=\"canonical\" href=\"http://feed.test\(path)\">"
                #expect(try await api.send(.get, path).text.contains(link), "\(path)")
            }
            #expect(try await !api.send(.get, "/@ada?max_id=5").text.contains("canonical"))
        }
    }

    @Test func entriesAreCompleteForMachines() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await api.post("bonjour #Quai", by: ada, more: "&language=fr")
            _ = try await api.must(
                .put, "/api/v1/statuses/\(id)", as: ada, .form("status=bonsoir%20%23Quai&language=fr"))
            for path in ["/", "/@ada/\(id)"] {
                let page = try await api.send(.get, path).text
                for part in [
                    "p-author h-card", "u-photo\" src=\"/avatars/ada", "p-name u-url", "dt-published", "dt-updated",
                    "e-content\" dir=\"auto\" lang=\"fr\"", "<data class=\"p-category\" value=\"Quai\"></data>",
                ] { #expect(page.contains(part), "\(path): \(part)") }
            }
            // As an import can store it.
            var draft = StatusDraft(text: "x")
            draft.language = "e\"x"
            let author = try await api.test.account("eve").account
            let hostile = try await api.test.services.posting.post(draft, by: author).id
            let page = try await api.send(.get, "/@eve/\(hostile)").text
            #expect(!page.contains("lang=\"e\"") && !page.contains("lang=\"e&"))
            // Not in the language of the page, but in an unknown one.
            #expect(page.contains("e-content\" dir=\"auto\" lang=\"\""))
        }
    }
}
