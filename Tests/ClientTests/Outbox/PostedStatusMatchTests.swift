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

    /// The status with a picture, as its JSON, because the entity has many members.
    private static func picture(_ content: String, _ description: String) throws -> Entity.Status {
        let attachment = #"{"id":"9","type":"image","url":"http://a/b.png","description":"\#(description)"}"#
        var status = status(content)
        status.media_attachments = [
            try JSONDecoder().decode(Entity.MediaAttachment.self, from: Data(attachment.utf8))
        ]
        return status
    }

    /// A post with files is recognized by its words: without any, another picture could be taken for it.
    @Test func filesAreComparedByTheirDescriptions() throws {
        func matches(_ status: Entity.Status, _ text: String, _ description: String?) -> Bool {
            let post = OutboxPost(draft: Draft(text: text), files: [MediaFile("/a.png", description: description)])
            return PostedStatusMatch(post, since: Self.since).matches(status)
        }
        let boat = try Self.picture("", "a boat")
        #expect(matches(boat, "", "a boat") && !matches(boat, "", "a car") && !matches(boat, "", nil))
        #expect(!matches(try Self.picture("", ""), "", nil))
        #expect(matches(try Self.picture("<p>look</p>", ""), "look", nil))
        #expect(!matches(Self.status("<p>look</p>"), "look", nil))
    }

    /// A relative time moves with the clock; another absolute time is another post.
    @Test func repetitionsHaveTheSameTime() {
        let hour: Int64 = 3_600_000
        let post = OutboxPost(draft: Draft(text: "standup"), scheduledAt: Self.since)
        func isRepeated(_ time: Int64?, after elapsed: Int64) -> Bool {
            post.isRepeated(by: OutboxPost(draft: post.draft, scheduledAt: time), after: elapsed)
        }
        #expect(isRepeated(Self.since, after: 0) && isRepeated(Self.since + hour, after: hour))
        #expect(!isRepeated(Self.since + 24 * hour, after: 1000) && !isRepeated(nil, after: 0))
        #expect(isRepeated(Self.since, after: hour))
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
