import FeedCore
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ScheduledStatusContentTests {
    /// As it is stored. Later versions must be able to read it.
    private static let stored = """
        {"text":"hi 中文","spoiler_text":"cw","visibility":"private","sensitive":true,"language":"de",\
        "in_reply_to_id":9007199254740993,"media_ids":[9223372036854775807,2],"source":"app",\
        "source_website":"https://app.test"}
        """

    private static func draft() -> StatusDraft {
        var draft = StatusDraft(text: "hi 中文")
        draft.spoilerText = "cw"
        draft.visibility = .followers
        draft.sensitive = true
        draft.language = "de"
        draft.inReplyToID = 9_007_199_254_740_993
        draft.mediaIDs = [.max, 2]
        draft.source = "app"
        draft.sourceWebsite = "https://app.test"
        return draft
    }

    @Test func storedParametersAreRead() throws {
        let read = try JSONDecoder().decode(ScheduledStatusContent.self, from: Data(Self.stored.utf8))
        #expect(read == ScheduledStatusContent(Self.draft()))
        let again = try JSONDecoder().decode(ScheduledStatusContent.self, from: try JSONEncoder().encode(read))
        #expect(again == read)
    }

    @Test func draftIsTheSameAfterwards() {
        let (before, after) = (Self.draft(), ScheduledStatusContent(Self.draft()).draft)
        #expect(after.text == before.text && after.spoilerText == before.spoilerText)
        #expect(after.visibility == before.visibility && after.sensitive == before.sensitive)
        #expect(after.language == before.language && after.inReplyToID == before.inReplyToID)
        #expect(after.mediaIDs == before.mediaIDs && after.mediaChanges.isEmpty)
        #expect(after.source == before.source && after.sourceWebsite == before.sourceWebsite)
    }

    @Test func pollsAreStored() throws {
        var draft = StatusDraft(text: "which?")
        draft.poll = PollDraft(options: ["a", "b"], seconds: 3600, isMultiple: true, hidesTotals: true)
        let parameters = ScheduledStatusContent(draft)
        #expect(parameters.draft.poll == draft.poll)
        let encoded = try JSONEncoder().encode(parameters)
        #expect(String(decoding: encoded, as: UTF8.self).contains("\"expires_in\":3600"))
        #expect(try JSONDecoder().decode(ScheduledStatusContent.self, from: encoded) == parameters)
    }

    /// A visibility that only a newer version knows.
    @Test func unknownVisibilityIsShownToNobodyElse() {
        var parameters = ScheduledStatusContent(StatusDraft(text: "x"))
        parameters.visibility = "secret"
        #expect(parameters.draft.visibility == .direct)
    }
}
