import FeedAPI
import FeedClientKit
import TestKit
import Testing

/// The parts of a reply that come from the status that it answers.
@Suite(.hangLimit)
struct ReplyDraftTests {
    private static func status(
        by author: String, mentioning mentions: [String] = [], _ visibility: String = "public", _ spoiler: String = ""
    ) -> Entity.Status {
        Entity.Status(
            id: "7", created_at: "2026-01-01T00:00:00.000Z",
            account: Entity.Account(id: "1", username: author, acct: author, display_name: "", avatar: nil),
            content: "", visibility: visibility, spoiler_text: spoiler, application: nil,
            mentions: mentions.map { Entity.Mention(id: $0, username: $0, acct: $0) }, tags: [])
    }

    @Test func everyoneElseIsMentionedOnce() {
        let template = ReplyDraft(
            answering: Self.status(by: "bob", mentioning: ["ada", "cleo@far.example", "Bob", "dan"]), by: "Ada")
        #expect(template.mentions == ["bob", "cleo@far.example", "dan"])
        #expect(template.opening == "@bob @cleo@far.example @dan ")
        #expect(template.draft("hi").text == "@bob @cleo@far.example @dan hi")
        #expect(template.draft("hi @DAN. and @cleo@far.example, @bobby").text.hasPrefix("@bob hi @DAN."))
        #expect(template.draft("hi", addsMentions: false).text == "hi")
        #expect(template.draft("hi").inReplyToID == "7")
        #expect(ReplyDraft(answering: Self.status(by: "ada"), by: "ada").opening.isEmpty)
    }

    @Test func accountNamedWithTheDomainOfItsServerIsMentionedOnce() {
        let status = Self.status(by: "bob", mentioning: ["cleo@far.example"])
        let template = ReplyDraft(answering: status, by: "ada", host: "Feed.example:8080")
        let text = "@Bob@feed.example:8080. @cleo@far.example hi"
        #expect(template.draft(text).text == text)
        #expect(template.draft("@cleo@far.example @bob@other.example").text.hasPrefix("@bob @cleo"))
    }

    @Test func boostedStatusIsAnswered() {
        var boost = Self.status(by: "bob")
        boost.id = "8"
        boost.reblog = Entity.Indirect(Self.status(by: "cleo"))
        let template = ReplyDraft(answering: boost, by: "ada")
        #expect(template.inReplyToID == "7" && template.mentions == ["cleo"])
    }

    @Test(
        arguments: [
            ("public", nil, nil), ("public", "private", nil), ("unlisted", nil, "unlisted"),
            ("unlisted", "private", "private"), ("private", "public", "private"), ("direct", "unlisted", "direct"),
            ("odd", "private", nil),
        ] as [(String, String?, String?)])
    func replyReachesNoMorePeople(status: String, standard: String?, expected: String?) {
        let template = ReplyDraft(
            answering: Self.status(by: "bob", mentioning: [], status), by: "ada", standard: standard)
        #expect(template.visibility == expected && template.draft("x").visibility == expected)
    }

    @Test func contentWarningIsKept() {
        let template = ReplyDraft(answering: Self.status(by: "bob", mentioning: [], "public", "spiders"), by: "ada")
        #expect(template.spoilerText == "spiders" && template.draft("x").spoilerText == "spiders")
        #expect(ReplyDraft(answering: Self.status(by: "bob"), by: "ada").spoilerText == nil)
    }
}
