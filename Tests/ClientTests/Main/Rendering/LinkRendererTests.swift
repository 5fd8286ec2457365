import FeedAPI
import FeedTerminal
import Foundation
import Testing

@testable import feedclient

/// Links, mentions and hashtags in the colors of a terminal.
@Suite struct LinkRendererTests {
    private static func text(_ style: TextStyle) throws -> String {
        let tags = try JSONDecoder().decode(
            [Entity.Tag].self, from: Data(#"[{"name":"kites","url":"https://a.test/tags/kites"}]"#.utf8))
        let html = #"<p>Hi <a href="https://b.test/@bob" class="mention">@bob</a>, #Kites at https://a.test/x.</p>"#
        let status = StatusRendererTests.status(html) {
            var mention = Entity.Mention(id: "2", username: "bob", acct: "bob@b.test")
            mention.url = "https://b.test/@bob"
            ($0.mentions, $0.tags) = ([mention], tags)
        }
        return StatusRenderer(columns: 100, style: style, now: nil).lines(status)[1].trimmingCharacters(
            in: .whitespaces)
    }

    @Test func linksAreColored() throws {
        #expect(try Self.text(TextStyle(hasColor: false)) == "Hi @bob, #Kites at https://a.test/x.")
        #expect(
            try Self.text(TextStyle(hasColor: true))
                == "Hi \u{1B}[36m@bob\u{1B}[0m, \u{1B}[36m#Kites\u{1B}[0m at \u{1B}[36mhttps://a.test/x\u{1B}[0m.")
    }

    /// The server says where names lead; a link that it does not know is only colored.
    @Test func linksCanBeOpened() throws {
        func link(_ text: String, _ address: String) -> String {
            "\u{1B}]8;;\(address)\u{1B}\\\u{1B}[36m\(text)\u{1B}[0m\u{1B}]8;;\u{1B}\\"
        }
        let names = link("@bob", "https://b.test/@bob") + ", " + link("#Kites", "https://a.test/tags/kites")
        #expect(
            try Self.text(TextStyle(hasColor: true, hasHyperlinks: true))
                == "Hi \(names) at \(link("https://a.test/x", "https://a.test/x")).")
        let style = TextStyle(hasColor: true, hasHyperlinks: true)
        #expect(style.linked("@eve") == "\u{1B}[36m@eve\u{1B}[0m")
        #expect(style.linked("@eve", ["@eve": "javascript:x"]) == "\u{1B}[36m@eve\u{1B}[0m")
    }

    /// Some servers show an address without its scheme. A text that leads elsewhere is no link; its address follows.
    @Test func addressesWithoutASchemeCanBeOpened() throws {
        let html = #"<p>See <a href="https://a.test/x">A.test/x</a>, <a href="https://evil.test">bank.test</a></p>"#
        let style = TextStyle(hasColor: true, hasHyperlinks: true)
        let lines = StatusRenderer(columns: 100, style: style, now: nil).lines(
            StatusRendererTests.status(html) { _ in })
        let links = ["A.test/x": "https://a.test/x", "https://evil.test": "https://evil.test"].mapValues {
            "\u{1B}]8;;\($0)\u{1B}\\\u{1B}[36m"
        }
        for (text, link) in links { #expect(lines[1].contains(link + text), "\(lines[1])") }
        #expect(lines[1].contains(" bank.test ("))
    }
}
