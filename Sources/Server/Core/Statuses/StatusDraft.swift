/// What somebody asks to post.
package struct StatusDraft: Sendable {
    package var text: String
    package var spoilerText = ""
    package var visibility = Visibility.everyone
    package var language: String?
    package var source = ""
    package var sensitive = false
    package var inReplyToID: Int64?
    /// Posting again with the same key gives the status that is there already.
    package var idempotencyKey: String?

    package init(text: String) { self.text = text }
}

/// A status that passed the rules and is ready to be stored.
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
