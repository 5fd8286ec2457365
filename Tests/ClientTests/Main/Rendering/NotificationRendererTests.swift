import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Testing

@testable import feedclient

struct NotificationRendererTests {
    private static func entry(_ type: String, count: Int = 1, names: [String] = ["Ada"]) throws -> NotificationEntry {
        let accounts = names.enumerated().map { index, name in
            #"{"id":"\#(index)","username":"u","acct":"\#(name.lowercased())","display_name":"\#(name)"}"#
        }
        let json = """
            {"accounts":[\(accounts.joined(separator: ","))],
            "statuses":[{"id":"7","created_at":"","content":"<p>one two three four five six seven eight nine ten</p>",
            "account":{"id":"9","acct":"me"}}],"notification_groups":[]}
            """
        let page = try JSONDecoder().decode(Entity.GroupedNotifications.self, from: Data(json.utf8))
        return NotificationEntry(
            id: "5", type: type, count: count, accounts: page.accounts,
            status: type.hasPrefix("follow") ? nil : page.statuses[0],
            createdAt: ISO8601.text(milliseconds: StatusRendererTests.now - 300_000))
    }

    private static func lines(_ entry: NotificationEntry, columns: Int = 50) -> [String] {
        NotificationRenderer(columns: columns, style: TextStyle(hasColor: false), now: StatusRendererTests.now).lines(
            entry)
    }

    @Test func groupNamesTheNewestAccountAndTheNumberOfOthers() throws {
        let cases: [(Int, [String], String)] = [
            (1, ["Ada"], "Ada (@ada) followed you"), (2, ["Ada", "Bob"], "Ada (@ada) and Bob (@bob) followed you"),
            (2, ["Ada"], "Ada (@ada) and another followed you"),
            (12, ["Ada", "Bob"], "Ada (@ada) and 11 others followed you"), (3, [], "3 accounts followed you"),
            (1, [], "somebody followed you"),
        ]
        for (count, names, text) in cases {
            let lines = Self.lines(try Self.entry("follow", count: count, names: names), columns: 80)
            #expect(
                lines.count == 2 && lines[0].hasPrefix("+ " + text) && lines[0].hasSuffix(" 5m") && lines[1].isEmpty)
        }
    }

    /// The reader's own statuses are shown on one line, those addressed to the reader in full.
    @Test func textIsAsLongAsItsReaderNeedsIt() throws {
        #expect(
            Self.lines(try Self.entry("reblog"), columns: 40) == [
                "⟳ Ada (@ada) boosted your status      5m", "  one two three four five six seven …", "  7", "",
            ])
        #expect(
            Self.lines(try Self.entry("mention"), columns: 40) == [
                "↪ Ada (@ada) mentioned you            5m", "  one two three four five six seven", "  eight nine ten",
                "  7", "",
            ])
    }

    /// The reader names the account on a row of its own, and has keys instead of ids.
    @Test func theReaderShowsASummaryAndNoIDs() throws {
        var renderer = NotificationRenderer(
            columns: 40, style: TextStyle(hasColor: false), now: StatusRendererTests.now)
        renderer.showsID = false
        #expect(try !renderer.lines(Self.entry("reblog")).contains("  7"))
        #expect(try renderer.summary(Self.entry("reblog")) == "⟳ boosted your status")
        #expect(try renderer.summary(Self.entry("reblog", count: 3)) == "⟳ Ada (@ada) and 2 others boosted your status")
    }

    /// Handles are neither truncated nor divided.
    @Test func longNamesAreWrapped() throws {
        var entry = try Self.entry("follow", count: 3)
        entry.accounts[0].acct = "ada.lovelace@a.rather.long.instance.example"
        #expect(
            Self.lines(entry, columns: 30) == [
                "+ Ada" + String(repeating: " ", count: 23) + "5m", "  (@ada.lovelace@a.rather.long.instance.example)",
                "  and 2 others followed you", "",
            ])
    }

    /// Files get whole lines, and under `LANG=C` only ASCII.
    @Test func linesAreWholeInFiles() throws {
        let renderer = NotificationRenderer(columns: .max, style: TextStyle(hasColor: false, isASCII: true), now: nil)
        let lines = renderer.lines(try Self.entry("mention"))
        #expect(lines[0].hasPrefix("> Ada (@ada) mentioned you  20"))
        #expect(Array(lines.dropFirst()) == ["  one two three four five six seven eight nine ten", "  7", ""])
    }

    @Test func unknownTypesAreNamed() throws {
        let lines = Self.lines(try Self.entry("pleroma:emoji_reaction"), columns: 80)
        #expect(lines[0].hasPrefix("· Ada (@ada) (pleroma:emoji_reaction)"))
    }

    /// Text of the server cannot control the terminal, and lines fit.
    @Test func hostileTextIsHarmless() throws {
        var entry = try Self.entry("mention\u{1B}[31m", count: 3)
        entry.accounts[0].display_name = "x\u{1B}]0;y\u{7}" + String(repeating: "長", count: 200)
        entry.accounts[0].acct = "a\u{9B}b\nc"
        entry.createdAt = "\u{1B}[2J"
        entry.status?.id = "\u{8}7"
        for columns in [10, 30, 80] {
            for line in Self.lines(entry, columns: columns) {
                #expect(
                    !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "\(line)")
            }
        }
    }
}
