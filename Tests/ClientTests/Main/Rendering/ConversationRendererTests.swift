import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import feedclient

/// Conversations, and the description of a server, as lines of text.
struct ConversationRendererTests {
    private static let now: Int64 = 1_700_000_000_000

    private static func account(_ acct: String) -> Entity.Account {
        Entity.Account(id: acct, username: acct, acct: acct, display_name: "", avatar: nil)
    }

    private static func conversation(
        _ content: String, spoiler: String = "", people: [String] = ["bob"], unread: Bool = false
    ) -> Entity.Conversation {
        let status = Entity.Status(
            id: "112233", created_at: ISO8601.text(milliseconds: now - 7_200_000), account: account("bob"),
            content: content, visibility: "direct", spoiler_text: spoiler, application: nil, mentions: [], tags: [])
        return Entity.Conversation(id: "1", unread: unread, accounts: people.map(account), last_status: status)
    }

    private static func lines(_ conversation: Entity.Conversation, columns: Int, isASCII: Bool = false) -> [String] {
        ConversationRenderer(columns: columns, style: TextStyle(hasColor: false, isASCII: isASCII), now: now)
            .lines(conversation)
    }

    @Test func peopleTextAndIDAreShown() {
        let unread = Self.conversation("<p>Hello</p>", people: ["bob", "cleo"], unread: true)
        #expect(Self.lines(unread, columns: 80) == ["● @bob, @cleo", "  @bob: Hello", "  2h · 112233", ""])
        #expect(Self.lines(Self.conversation("Hi", people: []), columns: 80)[0] == "  only you")
        var renderer = ConversationRenderer(columns: 80, style: TextStyle(hasColor: false), now: Self.now)
        renderer.showsID = false
        #expect(renderer.lines(unread)[2] == "  2h")
    }

    @Test func longTextIsShortenedAndTheIDIsNot() {
        let text = Array(repeating: "words", count: 40).joined(separator: " ")
        let lines = Self.lines(Self.conversation(text), columns: 30)
        #expect(lines.count == 5 && lines.allSatisfy { TextWidth.columns(of: $0) <= 30 })
        #expect(lines[3] == "  2h · 112233")
    }

    @Test func hiddenTextStaysHidden() {
        let lines = Self.lines(Self.conversation("the end", spoiler: "film"), columns: 80)
        #expect(lines[1].contains("film") && !lines.joined().contains("the end"))
    }

    @Test func conversationWithoutStatusIsShown() {
        let empty = Entity.Conversation(id: "1", unread: false, accounts: [Self.account("bob")])
        #expect(Self.lines(empty, columns: 80) == ["  @bob", ""])
    }

    @Test func controlCharactersAreRemoved() {
        var conversation = Self.conversation("a\u{1B}]52;c;x\u{7}b\u{202E}c", people: ["b\u{1B}[31mob"])
        conversation.last_status?.id = "1\u{9B}2"
        let text = Self.lines(conversation, columns: 80).joined()
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
    }

    @Test func asciiIsEnough() {
        let lines = Self.lines(Self.conversation("naïve", unread: true), columns: 80, isASCII: true)
        #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func serverWithoutDetailsIsDescribed() throws {
        let details = try JSONDecoder().decode(InstanceDetails.self, from: Data(#"{"version":"4.5.0","rules":7}"#.utf8))
        let renderer = InstanceRenderer(columns: 80, style: TextStyle(hasColor: false))
        let lines = renderer.lines(details, try ServerAddress("https://feed.example"))
        #expect(lines == ["https://feed.example", "", "Mastodon API: 4.5.0"])
    }

    /// Both versions of the entity.
    @Test(arguments: [
        #"{"version":"1","registrations":{"enabled":true,"approval_required":false},"contact":{"email":"a@b"}}"#,
        #"{"version":"1","registrations":true,"email":"a@b"}"#,
    ])
    func registrationAndContactAreFound(json: String) throws {
        let details = try JSONDecoder().decode(InstanceDetails.self, from: Data(json.utf8))
        #expect(details.registration == .open && details.email == "a@b" && details.contact == nil)
    }
}
