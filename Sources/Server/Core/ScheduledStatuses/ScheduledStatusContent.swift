/// The content of a scheduled status: the parameters of the request, with the account's defaults at that time. They are
/// stored as JSON, so new members must be optional.
package struct ScheduledStatusContent: Codable, Sendable, Equatable {
    /// The parameters of a poll, which starts when the status is published.
    package struct Poll: Codable, Sendable, Equatable {
        package var options: [String]
        /// In seconds.
        package var expiresIn: Int64
        package var multiple: Bool
        package var hideTotals: Bool

        package init(options: [String], expiresIn: Int64, multiple: Bool, hideTotals: Bool) {
            self.options = options
            self.expiresIn = expiresIn
            self.multiple = multiple
            self.hideTotals = hideTotals
        }

        private enum CodingKeys: String, CodingKey {
            case options, multiple
            case expiresIn = "expires_in"
            case hideTotals = "hide_totals"
        }
    }

    package var text: String
    package var spoilerText: String
    /// The name of the visibility in the Mastodon API.
    package var visibility: String
    package var sensitive: Bool
    package var language: String?
    package var inReplyToID: Int64?
    package var mediaIDs: [Int64]
    package var poll: Poll?
    /// The name and the web site of the application.
    package var source: String
    package var sourceWebsite: String?

    private enum CodingKeys: String, CodingKey {
        case text, visibility, sensitive, language, poll, source
        case spoilerText = "spoiler_text"
        case inReplyToID = "in_reply_to_id"
        case mediaIDs = "media_ids"
        case sourceWebsite = "source_website"
    }
}

extension ScheduledStatusContent {
    /// Changes of attached files are not included: they take effect at once.
    package init(_ draft: StatusDraft) {
        self.init(
            text: draft.text, spoilerText: draft.spoilerText, visibility: draft.visibility.apiName,
            sensitive: draft.sensitive, language: draft.language, inReplyToID: draft.inReplyToID,
            mediaIDs: draft.mediaIDs, poll: draft.poll.map(Poll.init), source: draft.source,
            sourceWebsite: draft.sourceWebsite)
    }

    /// The status to be posted.
    package var draft: StatusDraft {
        var draft = StatusDraft(text: text)
        draft.spoilerText = spoilerText
        // An unknown one of a newer version must not be shown to more people than intended.
        draft.visibility = Visibility(apiName: visibility) ?? .direct
        draft.sensitive = sensitive
        draft.language = language
        draft.inReplyToID = inReplyToID
        draft.mediaIDs = mediaIDs
        draft.poll = poll?.draft
        draft.source = source
        draft.sourceWebsite = sourceWebsite
        return draft
    }
}

extension ScheduledStatusContent.Poll {
    /// A draft without a duration is refused before it is stored.
    package init(_ draft: PollDraft) {
        self.init(
            options: draft.options, expiresIn: draft.seconds ?? 0, multiple: draft.isMultiple,
            hideTotals: draft.hidesTotals)
    }

    package var draft: PollDraft {
        PollDraft(options: options, seconds: expiresIn, isMultiple: multiple, hidesTotals: hideTotals)
    }
}
