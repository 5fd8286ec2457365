/// The content of a status to be posted.
package struct StatusDraft: Sendable {
    package var text: String
    package var spoilerText = ""
    package var visibility = Visibility.public
    package var language: String?
    /// The name of the application from which the status is posted.
    package var source = ""
    package var sourceWebsite: String?
    package var sensitive = false
    /// The ids of the attached files, in their order.
    package var mediaIDs: [Int64] = []
    /// Changes of attached files, by id.
    package var mediaChanges: [Int64: MediaChanges] = [:]
    package var poll: PollDraft?
    package var inReplyToID: Int64?
    /// A second request with the same key returns the status created by the first one.
    package var idempotencyKey: String?

    package init(text: String) { self.text = text }

    /// Whether the text or the files are hidden at first, as what has a content warning always is.
    package var isSensitive: Bool { sensitive || !spoilerText.isEmpty }

    /// As in Mastodon, a content warning without a text is the text, and what is attached to it stays hidden.
    package mutating func useWarningAsText() {
        guard !spoilerText.isBlank, text.isBlank else { return }
        (text, spoilerText, sensitive) = (spoilerText, "", true)
    }
}

extension StatusDraft {
    /// - Throws: ``FeedError`` `.invalid` if the poll is refused.
    package func checkPoll() throws(FeedError) {
        guard let poll else { return }
        guard mediaIDs.isEmpty else { throw .invalid("A post cannot have both a poll and attached files") }
        try poll.check()
    }
}

extension String {
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

/// A validated and rendered status, ready to be stored.
package struct PreparedStatus: Sendable {
    package var accountID: Int64
    package var draft: StatusDraft
    package var rendered: RenderedText
    package var inReplyToAccountID: Int64?

    package init(accountID: Int64, draft: StatusDraft, rendered: RenderedText, inReplyToAccountID: Int64?) {
        self.accountID = accountID
        self.draft = draft
        self.rendered = rendered
        self.inReplyToAccountID = inReplyToAccountID
    }
}

extension PreparedStatus {
    /// The new status, as its author will read it.
    /// - Parameter author: The author before the status was stored.
    /// - Returns: `nil` if it has to be read: a reply may belong to a conversation that the author mutes, and files and polls
    ///   are stored with it.
    package func status(id: Int64, by author: Account, at now: Int64) -> Status? {
        guard draft.inReplyToID == nil, draft.mediaIDs.isEmpty, draft.poll == nil, author.suspendedAt == nil else {
            return nil
        }
        var author = author
        if draft.visibility.affectsStatusCount {
            author.statusesCount += 1
            author.lastStatusAt = now
        }
        var status = Status(
            id: id, account: author, createdAt: now, visibility: draft.visibility, language: draft.language,
            source: draft.source, text: draft.text, content: rendered.html, spoilerText: draft.spoilerText,
            sensitive: draft.isSensitive, mentions: rendered.mentions, tags: rendered.tags)
        status.sourceWebsite = draft.sourceWebsite
        return status
    }
}

/// The lifetime of idempotency keys, by which a repeated request to post is recognized (`Idempotency-Key`, as in the
/// Mastodon API).
package enum IdempotencyKey {
    /// The time in milliseconds for which a key is valid.
    package static let lifetime: Int64 = 86_400_000

    /// Keys created at or before this time have expired.
    /// - Parameter now: Milliseconds since 1970.
    package static func expiry(at now: Int64) -> Int64 { now - lifetime }
}
