import FeedAPI
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The statuses that are taken for a post whose outcome is unknown.
@Suite(.hangLimit)
struct OutboxMatchTests {
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
        return OutboxMatch(OutboxPost(draft: draft), mediaIDs: [], since: since).matches(status)
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

    /// Media with these ids, as their JSON, because the entity has many members.
    private static func media(_ ids: [String]) throws -> [Entity.MediaAttachment] {
        let elements = ids.map { #"{"id":"\#($0)","type":"image","url":"http://a/b.png","description":"a boat"}"# }
        let json = "[" + elements.joined(separator: ",") + "]"
        return try JSONDecoder().decode([Entity.MediaAttachment].self, from: Data(json.utf8))
    }

    /// The ids decide, and neither texts nor times: nobody else can have attached the uploaded files.
    @Test(
        arguments: [
            (["1"], ["1"], true), (["1"], ["2"], false), (["1"], [], false), (["1", "2"], ["2", "1"], true),
            (["1", "2"], ["1"], false), (["1"], ["1", "2"], false), ([], ["1"], false),
        ] as [([String], [String], Bool)])
    func filesAreComparedByTheirIDs(uploaded: [String], attached: [String], isSame: Bool) throws {
        let files = uploaded.map { MediaFile("/\($0).png", description: "a boat") }
        let match = OutboxMatch(
            OutboxPost(draft: Draft(text: "look"), files: files), mediaIDs: uploaded, since: Self.since)
        for (content, time) in [("<p>look</p>", Self.since), ("<p>changed</p>", Self.since - 5000)] {
            var status = Self.status(content, at: time)
            status.media_attachments = try Self.media(attached)
            #expect(match.matches(status) == isSame)
        }
    }

    /// Media that were uploaded before the draft was made count, too.
    @Test func idsOfTheDraftAreCompared() throws {
        var draft = Draft(text: "look")
        draft.mediaIDs = ["1"]
        let post = OutboxPost(draft: draft, files: [MediaFile("/a.png")])
        var status = Self.status("<p>look</p>")
        status.media_attachments = try Self.media(["1", "2"])
        #expect(OutboxMatch(post, mediaIDs: ["2"], since: Self.since).matches(status))
        #expect(!OutboxMatch(post, mediaIDs: ["3"], since: Self.since).matches(status))
        // Unless all ids are known, nothing is recognized.
        #expect(!OutboxMatch(post, mediaIDs: [], since: Self.since).matches(status))
        #expect(!OutboxMatch(post, mediaIDs: [], since: Self.since).matches(Self.status("<p>look</p>")))
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
