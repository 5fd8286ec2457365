import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import feedclient

/// The effect on statuses of the filters that a server has matched.
@Suite(.hangLimit)
struct FilterEffectTests {
    private static func status(_ filtered: String, id: String = "7", reblog: String? = nil) throws -> Entity.Status {
        let json = """
            {"id":"\(id)","created_at":"2023-11-14T20:00:00.000Z","account":{"id":"1","username":"ada","acct":"ada"},
            "content":"<p>the ending</p>","filtered":\(filtered)\(reblog.map { ",\"reblog\":" + $0 } ?? ""),
            "media_attachments":[{"id":"1","type":"image","description":"a boat"}]}
            """
        return try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
    }

    private static func filter(_ action: String, _ contexts: String = #"["home"]"#, title: String = "Films") -> String {
        #"{"filter":{"id":"1","title":"\#(title)","context":\#(contexts),"filter_action":"\#(action)"}}"#
    }

    private static func lines(_ status: Entity.Status, in context: FilterContext = .home, columns: Int = 80) -> [String]
    {
        let style = TextStyle(hasColor: false)
        return StatusRenderer(columns: columns, style: style, now: StatusRendererTests.now, context: context).lines(
            status)
    }

    struct Row: Sendable {
        let filtered: String
        var context = FilterContext.home
        let effect: FilterEffect
    }

    @Test(arguments: [
        Row(filtered: "[]", effect: .none), Row(filtered: "null", effect: .none),
        Row(filtered: "true", effect: .none), Row(filtered: #"["x",{}]"#, effect: .none),
        Row(filtered: "[\(filter("hide"))]", effect: .hide),
        Row(filtered: "[\(filter("warn"))]", effect: .warn(title: "Films")),
        Row(filtered: "[\(filter("blur"))]", effect: .blur),
        Row(filtered: "[\(filter("unknown"))]", effect: .warn(title: "Films")),
        Row(filtered: "[\(filter("warn")),\(filter("hide"))]", effect: .hide),
        Row(filtered: "[\(filter("blur")),\(filter("warn"))]", effect: .warn(title: "Films")),
        Row(filtered: "[\(filter("hide", "[]"))]", effect: .hide),
        Row(filtered: "[\(filter("hide"))]", context: .public, effect: .none),
        Row(filtered: "[\(filter("hide", #"["public","thread"]"#))]", context: .thread, effect: .hide),
        // What somebody has searched for or bookmarked does not disappear.
        Row(filtered: "[\(filter("hide"))]", context: .other, effect: .warn(title: "Films")),
        Row(filtered: #"[{"filter":{"title":"Films"}}]"#, effect: .warn(title: "Films")),
    ])
    func effectDependsOnActionAndContext(_ row: Row) throws {
        #expect(FilterEffect(on: try Self.status(row.filtered), in: row.context) == row.effect, "\(row)")
    }

    /// As in Mastodon's own clients.
    @Test func ownStatusesAreNotFiltered() throws {
        let own = try Self.status("[\(Self.filter("hide"))]")
        #expect(FilterEffect(on: own, in: .home, for: "Ada") == .none)
        #expect(FilterEffect(on: own, in: .home, for: "bob") == .hide)
        var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: nil, context: .home)
        renderer.viewer = "ada"
        #expect(renderer.lines(own).contains { $0.contains("the ending") })
        var boost = try Self.status("[\(Self.filter("hide"))]", id: "8")
        boost.reblog = Entity.Indirect(own)
        #expect(FilterEffect(on: boost, in: .home, for: "ada") == .none)
    }

    @Test func hiddenStatusesAreLeftOut() throws {
        #expect(Self.lines(try Self.status("[\(Self.filter("hide"))]")).isEmpty)
        #expect(!Self.lines(try Self.status("[\(Self.filter("hide"))]"), in: .account).isEmpty)
    }

    @Test func warningFoldsTheStatusUnderTheTitleOfTheFilter() throws {
        let status = try Self.status("[\(Self.filter("warn"))]")
        #expect(
            Self.lines(status) == [
                "[A] ada @ada" + String(repeating: " ", count: 66) + "2h", "    (filtered: Films; feedclient show 7)",
                "",
            ])
        #expect(Self.lines(status, columns: 30).dropFirst() == ["    (filtered: Films)", "    feedclient show 7", ""])
        var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: nil, context: .home)
        renderer.revealsSensitive = true
        #expect(renderer.lines(status).contains { $0.contains("the ending") })
    }

    @Test func blurHidesOnlyMedia() throws {
        let text = Self.lines(try Self.status("[\(Self.filter("blur"))]")).joined(separator: "\n")
        #expect(
            text.contains("the ending") && !text.contains("a boat") && text.contains("(filtered; feedclient show 7)"))
    }

    /// Servers send the filters with the boost, with the boosted status, or with both.
    @Test(arguments: [("[\(filter("hide"))]", "[]"), ("[]", "[\(filter("hide"))]")])
    func boostsAreFiltered(outer: String, inner: String) throws {
        let boosted = """
            {"id":"6","created_at":"","account":{"id":"2","username":"bob","acct":"bob"},"content":"x","filtered":\(inner)}
            """
        #expect(Self.lines(try Self.status(outer, reblog: boosted)).isEmpty)
    }

    @Test(arguments: ["warn", "hide"]) func quotedStatusIsFiltered(action: String) throws {
        var status = try Self.status("[]")
        status.media_attachments = nil
        status.quote = Entity.Quote(
            state: "accepted", quoted_status: try Self.status("[\(Self.filter(action))]", id: "8"))
        status.content = "look"
        let text = Self.lines(status).joined(separator: "\n")
        #expect(text.contains("look") && !text.contains("the ending") && text.contains("filtered"), "\(text)")
    }

    @Test func notificationsAreFiltered() throws {
        let renderer = NotificationRenderer(
            columns: 80, style: TextStyle(hasColor: false), now: StatusRendererTests.now)
        func lines(_ action: String) throws -> [String] {
            var entry = NotificationEntry(
                id: "5", type: "mention", count: 1, accounts: [], status: nil, createdAt: nil)
            entry.status = try Self.status("[\(Self.filter(action, #"["notifications"]"#))]")
            return renderer.lines(entry)
        }
        #expect(try lines("hide").isEmpty)
        #expect(try lines("warn") == ["↪ somebody mentioned you", "  (filtered: Films)", "  7", ""])
    }
}
