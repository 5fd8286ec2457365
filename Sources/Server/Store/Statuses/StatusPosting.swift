package import FeedCore

/// Validates, renders and stores statuses.
package struct StatusPosting: Sendable {
    private let accounts: AccountStore
    private let statuses: StatusStore
    private let limits: Limits
    private let host: String?

    /// - Parameter host: The host of this server, which mentions may contain; `nil` if unknown.
    package init(accounts: AccountStore, statuses: StatusStore, limits: Limits, host: String? = nil) {
        self.accounts = accounts
        self.statuses = statuses
        self.limits = limits
        self.host = host
    }

    /// Posts a status; returns once it is durable.
    /// - Throws: ``FeedError`` `.invalid` if the text is blank or too long, if a file cannot be attached, or if the poll is
    ///   refused; `.notFound` if the status being replied to does not exist.
    package func post(_ draft: StatusDraft, by author: Account) async throws -> Status {
        try await statuses.insert(try await prepared(draft, by: author))
    }

    /// Checks and renders a new status.
    /// - Throws: As ``post(_:by:)``, except for files.
    func prepared(_ draft: StatusDraft, by author: Account) async throws -> PreparedStatus {
        try await prepare(draft, by: author, inReplyTo: try await replyTarget(of: draft, for: author))
    }

    /// Edits a status; its visibility and the status it replies to are unchanged.
    /// - Throws: ``FeedError`` `.invalid` if the text is blank or too long, or if a file cannot be attached; `.notFound` if
    ///   `author` has no such status.
    package func edit(_ id: Int64, to draft: StatusDraft, by author: Account) async throws -> Status {
        try await statuses.edit(id: id, to: try await prepare(draft, by: author, inReplyTo: nil))
    }

    private func prepare(
        _ draft: StatusDraft, by author: Account, inReplyTo target: Status?
    ) async throws -> PreparedStatus {
        let bytes = draft.text.utf8.count + draft.spoilerText.utf8.count + (draft.poll?.bytes ?? 0)
        guard bytes <= limits.statusBytes else {
            throw FeedError.invalid("Text is longer than \(limits.statusBytes) bytes")
        }
        let segments = TextParser.parse(draft.text, host: host)
        try Self.check(draft, segments: segments, limits: limits)
        try AttachmentRule.check(draft, limits.media)
        try draft.checkPoll()
        let mentions = try await accounts.accounts(named: TextRendering.mentionedNames(in: segments))
        let rendered = TextRendering.render(segments, known: mentions)
        guard rendered.html.utf8.count <= limits.statusHTMLBytes else {
            throw FeedError.invalid("The text has too many long links")
        }
        var draft = draft
        draft.inReplyToID = target?.id
        return PreparedStatus(
            accountID: author.id, draft: draft, rendered: rendered,
            inReplyToAccountID: target?.account.id)
    }

    private func replyTarget(of draft: StatusDraft, for author: Account) async throws -> Status? {
        guard let id = draft.inReplyToID else { return nil }
        guard let target = try await statuses.status(id: id, for: author.id) else {
            throw FeedError(.notFound, "The status you are replying to does not exist")
        }
        return target
    }

    /// Checks the limits that apply to the parsed text.
    static func check(_ draft: StatusDraft, segments: [TextSegment], limits: Limits) throws(FeedError) {
        guard !draft.mediaIDs.isEmpty || draft.text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid("Text can't be blank")
        }
        let length = TextRendering.length(of: segments, linkLength: limits.linkLength) + draft.spoilerText.count
        guard length <= limits.statusCharacters else {
            throw .invalid("The text has \(length) characters; \(limits.statusCharacters) are allowed")
        }
    }
}
