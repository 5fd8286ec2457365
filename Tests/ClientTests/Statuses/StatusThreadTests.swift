import FeedAPI
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct StatusThreadTests {
    static func entry(
        _ id: String, replyTo parent: String? = nil, boosting status: Entity.Status? = nil, by user: String = "1"
    )
        -> TimelineEntry
    {
        let account = Entity.Account(id: user, username: "u" + user, acct: "u" + user, display_name: "", avatar: nil)
        var value = Entity.Status(
            id: id, created_at: "", account: account, content: "", visibility: "public", spoiler_text: "",
            application: nil, mentions: [], tags: [])
        value.in_reply_to_id = parent
        value.reblog = status.map { Entity.Indirect($0) }
        return TimelineEntry(status: value, json: [])
    }

    /// `id:depth` of each item.
    private static func shape(_ thread: StatusThread) -> [String] {
        thread.items.map { "\($0.entry.status.id):\($0.depth)" }
    }

    private static func thread(_ descendants: [TimelineEntry], maximum: Int = 100) -> StatusThread {
        StatusThread(
            ancestors: [entry("1"), entry("2", replyTo: "1")], status: entry("3", replyTo: "2"),
            descendants: descendants, maximum: maximum)
    }

    @Test func repliesFormATree() {
        // In the order of time, as some servers send them.
        let thread = Self.thread([
            Self.entry("4", replyTo: "3"), Self.entry("5", replyTo: "3"), Self.entry("6", replyTo: "4"),
            Self.entry("7", replyTo: "6"), Self.entry("8", replyTo: "5"),
        ])
        #expect(Self.shape(thread) == ["1:0", "2:0", "3:0", "4:1", "6:2", "7:3", "5:1", "8:2"])
        #expect(thread.items.map(\.isFocus) == [false, false, true, false, false, false, false, false])
    }

    /// Replies to a status that is hidden from this account, or that refer to each other in a circle.
    @Test func noReplyIsLost() {
        let thread = Self.thread([
            Self.entry("5", replyTo: "hidden"), Self.entry("6", replyTo: "7"), Self.entry("7", replyTo: "6"),
            Self.entry("8", replyTo: "8"), Self.entry("9"), Self.entry("5", replyTo: "3"), Self.entry("3"),
        ])
        #expect(Self.shape(thread) == ["1:0", "2:0", "3:0", "5:1", "9:1", "6:1", "7:2", "8:1"])
    }

    @Test func sizeIsBounded() {
        let many = (10..<40).map { Self.entry("\($0)", replyTo: "\($0 - 1)") }
        let thread = Self.thread(many, maximum: 1)
        #expect(Self.shape(thread) == ["2:0", "3:0", "10:1"])
        #expect(thread.omittedAncestors == 1 && thread.omittedReplies == 29)
        let deep = (10..<100_000).map { Self.entry("\($0)", replyTo: $0 == 10 ? "3" : "\($0 - 1)") }
        #expect(Self.thread(deep, maximum: 1000).items.last?.depth == 1000)
    }

    @Test func conversationOfABoostIsThatOfTheStatus() {
        let boost = Self.entry("9", boosting: Self.entry("3").status)
        let thread = StatusThread(ancestors: [], status: boost, descendants: [Self.entry("4", replyTo: "3")])
        #expect(Self.shape(thread) == ["9:0", "4:1"])
    }

    // MARK: Boosts

    @Test func boostedStatusIsShownOnce() {
        let status = Self.entry("1", by: "5").status
        let items = BoostedStatus.merged([
            Self.entry("8", boosting: status, by: "2").status, Self.entry("7").status,
            Self.entry("6", boosting: status, by: "3").status, Self.entry("4", boosting: status, by: "2").status,
            status,
        ])
        #expect(items.map(\.status.id) == ["1", "7"] && items[0].boosters.map(\.id) == ["2", "3"])
        #expect(items[1].boosters.isEmpty)
    }

    @Test func repetitionsDoNotCount() {
        let status = Self.entry("1").status
        let page = [
            Self.entry("9", boosting: status, by: "2"), Self.entry("8", boosting: status, by: "3"), Self.entry("7"),
            Self.entry("6", boosting: status, by: "4"), Self.entry("5"),
        ]
        var distinct = StatusLimit(count: 2, countsRepetitions: false)
        #expect(page.prefix(while: { distinct.take($0) }).map(\.status.id) == ["9", "8", "7", "6"])
        #expect(distinct.missing == 0)
        var raw = StatusLimit(count: 2, countsRepetitions: true)
        #expect(raw.missing == 2)
        #expect(page.prefix(while: { raw.take($0) }).map(\.status.id) == ["9", "8"])
        #expect(raw.missing == 0)
    }
}
