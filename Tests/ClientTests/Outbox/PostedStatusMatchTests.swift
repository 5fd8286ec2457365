import FeedAPI
import Foundation
import Testing

@testable import FeedClientKit

/// Which statuses are taken for a post whose outcome is unknown.
@Suite(.timeLimit(.minutes(15)))
struct PostedStatusMatchTests {
    private static let since: Int64 = 1_700_000_000_000

    private static func status(_ content: String, at time: Int64 = since) -> Entity.Status {
        let account = Entity.Account(id: "1", username: "ada", acct: "ada", display_name: "Ada", avatar: nil)
        return Entity.Status(
            id: "5", created_at: ISO8601.text(milliseconds: time), account: account, content: content,
            visibility: "public", spoiler_text: "", application: nil, mentions: [], tags: [])
    }

    private static func matches(_ status: Entity.Status, _ text: String, _ change: (inout Draft) -> Void = { _ in })
        -> Bool
    {
        var draft = Draft(text: text)
        change(&draft)
        return PostedStatusMatch(OutboxPost(draft: draft), since: since).matches(status)
    }

    @Test(
        arguments: [
            ("<p>hello</p>", "hello", true), ("<p>a<br>b</p><p>c</p>", "a\nb\n\nc", true),
            ("<p>a &lt; b</p>", "a < b", true),
            (
                #"<p><span class="h-card"><a href="https://b.test/@bob">@<span>bob</span></a></span> hi</p>"#,
                "@bob@b.test hi", true
            ),
            ("<p>hello!</p>", "hello", false), ("<p>hello you</p>", "hello", false), ("", "hello", false),
        ])
    func textIsCompared(content: String, text: String, isSame: Bool) {
        #expect(Self.matches(Self.status(content), text) == isSame)
    }

    @Test func everythingElseIsComparedToo() {
        let status = Self.status("<p>hello</p>")
        #expect(Self.matches(status, "hello") { $0.visibility = "public" })
        #expect(!Self.matches(status, "hello") { $0.visibility = "direct" })
        #expect(!Self.matches(status, "hello") { $0.spoilerText = "cw" })
        #expect(!Self.matches(status, "hello") { $0.inReplyToID = "7" })
        #expect(!Self.matches(status, "hello") { $0.mediaIDs = ["m"] })
        #expect(!Self.matches(status, "hello") { $0.poll = PollDraft(options: ["a", "b"]) })
        var reply = status
        reply.in_reply_to_id = "7"
        #expect(!Self.matches(reply, "hello") && Self.matches(reply, "hello") { $0.inReplyToID = "7" })
    }

    /// An earlier status with the same text is another one.
    @Test func earlierStatusesDoNotCount() {
        #expect(!Self.matches(Self.status("<p>hello</p>", at: Self.since - 1000), "hello"))
        #expect(Self.matches(Self.status("<p>hello</p>", at: Self.since - 999), "hello"))
        var status = Self.status("<p>hello</p>")
        status.created_at = "yesterday"
        #expect(!Self.matches(status, "hello"))
    }
}
