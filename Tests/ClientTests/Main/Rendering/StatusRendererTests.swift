import FeedAPI
import FeedTerminal
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit
@testable import feedclient

@Suite(.hangLimit)
struct StatusRendererTests {
    static let now: Int64 = 1_700_000_000_000

    static func status(_ text: String, name: String = "Ada Lovelace ✨", more: (inout Entity.Status) -> Void = { _ in })
        -> Entity.Status
    {
        var account = Entity.Account(id: "1", username: "ada", acct: "ada", display_name: name, avatar: nil)
        account.note = ""
        var status = Entity.Status(
            id: "111", created_at: ISO8601.text(milliseconds: now - 7_500_000), account: account, content: text,
            visibility: "public", spoiler_text: "", application: Entity.Application(name: "iPhone", website: nil),
            mentions: [], tags: [])
        more(&status)
        return status
    }

    static func render(_ status: Entity.Status, columns: Int) -> String {
        StatusRenderer(columns: columns, style: TextStyle(hasColor: false), now: now).lines(status).joined(
            separator: "\n")
    }

    static let long =
        "<p>The quick brown fox jumps over the lazy dog, and then it does so once more.</p><p>孔子谓季氏八佾舞于庭是可忍也孰不可忍也 👩‍👩‍👧 &lt;end&gt;</p>"

    @Test func rendersInFortyColumns() {
        #expect(
            Self.render(Self.status(Self.long), columns: 40) == """
                [A] Ada Lovelace ✨ @ada              2h
                    The quick brown fox jumps over the
                    lazy dog, and then it does so once
                    more.

                    孔子谓季氏八佾舞于庭是可忍也孰不可忍
                    也 👩‍👩‍👧 <end>
                    iPhone · 111

                """)
    }

    @Test func rendersInEightyColumns() {
        let status = Self.status(Self.long) {
            $0.replies_count = 2
            $0.favourites_count = 1
            $0.visibility = "private"
            $0.in_reply_to_id = "5"
            $0.in_reply_to_account_id = "9"
            $0.mentions = [Entity.Mention(id: "9", username: "bob", acct: "bob")]
        }
        #expect(
            Self.render(status, columns: 80) == """
                [A] Ada Lovelace ✨ @ada                                                      2h
                    ↪ in reply to @bob
                    The quick brown fox jumps over the lazy dog, and then it does so once more.

                    孔子谓季氏八佾舞于庭是可忍也孰不可忍也 👩‍👩‍👧 <end>
                    ↩ 2 · ★ 1 · private · iPhone · 111

                """)
    }

    /// Lines longer than a hundred columns are hard to read, so the other columns stay empty.
    @Test func rendersInAHundredAndTwentyColumns() {
        let gap = String(repeating: " ", count: 74)
        let expected = """
            [A] Ada Lovelace ✨ @ada\(gap)2h
                The quick brown fox jumps over the lazy dog, and then it does so once more.

                孔子谓季氏八佾舞于庭是可忍也孰不可忍也 👩‍👩‍👧 <end>
                iPhone · 111

            """
        #expect(Self.render(Self.status(Self.long), columns: 120) == expected)
    }

    @Test func boostNamesBothAccounts() {
        let inner = Self.status("<p>inner</p>", name: "Bob")
        let boost = Self.status("", name: "Ada") { $0.reblog = Entity.Indirect(inner) }
        let text = Self.render(boost, columns: 60)
        #expect(text.contains("⟳ Ada boosted") && text.contains("Bob") && text.contains("inner"))
    }

    /// It is the warning of another author than the one whose status is shown in full.
    @Test func warningOfAQuotedStatusStaysClosed() {
        let quoted = Self.status("<p>the end</p>", name: "Eve") { $0.spoiler_text = "Film" }
        let status = Self.status("<p>look</p>", name: "Ada") {
            $0.quote = Entity.Quote(state: "accepted", quoted_status: quoted)
        }
        var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: nil)
        renderer.revealsSensitive = true
        let text = renderer.lines(status).joined(separator: "\n")
        #expect(text.contains("Film") && !text.contains("the end"))
    }

    /// Every control character in every field: none reaches the terminal.
    @Test func controlCharactersAreRemoved() {
        let harmful =
            (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E)
            + Array(0x2066...0x2069) + [0xFEFF]).compactMap { Unicode.Scalar(UInt32($0)) }
        for scalar in harmful {
            let poison = "x\(Character(scalar))[31mx"
            let status = Self.status(poison, name: poison) {
                $0.id = poison
                $0.created_at = poison
                $0.spoiler_text = poison
                $0.visibility = poison
                $0.account.acct = poison
                $0.application?.name = poison
                $0.in_reply_to_id = poison
                $0.in_reply_to_account_id = poison
                $0.mentions = [Entity.Mention(id: poison, username: poison, acct: poison)]
            }
            var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: nil)
            for reveals in [false, true] {
                renderer.revealsSensitive = reveals
                let text = renderer.lines(status).joined()
                #expect(!text.unicodeScalars.contains { harmful.contains($0) }, "U+\(String(scalar.value, radix: 16))")
            }
            let json = RawJSON.line(Array("{\"text\":\"\(poison)\"}".utf8))
            #expect(!json.unicodeScalars.contains { harmful.contains($0) })
        }
    }

    private static func lines(_ content: String, _ query: String, hasColor: Bool, columns: Int = 80) throws -> String {
        let entry = try StoreFixture.entry(7, content)
        var renderer = StatusRenderer(columns: columns, style: TextStyle(hasColor: hasColor), now: nil)
        renderer.search = SearchQuery(query)
        return renderer.lines(entry.status).joined(separator: "\n")
    }

    private static func mark(_ text: String) -> String { "\u{1B}[1;31m\(text)\u{1B}[0m" }

    @Test func matchesAreColoured() throws {
        let shown = try Self.lines("<p>A Heron, two herons; 東京都</p>", "heron* 京 -two", hasColor: true)
        #expect(shown.contains("A \(Self.mark("Heron")), two \(Self.mark("herons")); 東\(Self.mark("京都"))"))
        let wrapped = try Self.lines("<p>a heron and one more heron</p>", "heron", hasColor: true, columns: 20)
        #expect(wrapped.components(separatedBy: Self.mark("heron")).count == 3)
    }

    @Test func nothingIsMarkedWithoutColour() throws {
        let shown = try Self.lines("<p>A Heron</p>", "heron", hasColor: false)
        #expect(shown.contains("A Heron") && !shown.contains("\u{1B}"))
    }
}
