/// The rules for writing a status.
package struct Posting: Sendable {
    private let accounts: any AccountStoring
    private let statuses: any StatusStoring
    private let limits: Limits

    package init(accounts: any AccountStoring, statuses: any StatusStoring, limits: Limits) {
        self.accounts = accounts
        self.statuses = statuses
        self.limits = limits
    }

    /// Checks, renders and stores; returns once it is durable.
    /// - Throws: ``FeedError`` `.invalid` for a text that is empty or too long, `.notFound` for an unknown reply target.
    package func post(_ draft: StatusDraft, by author: Account) async throws -> Status {
        let target = try await replyTarget(of: draft, for: author)
        return try await statuses.insert(try await prepare(draft, by: author, inReplyTo: target))
    }

    /// Replaces what a status says; whom it is for and what it answers stay.
    /// - Throws: As ``post(_:by:)``; ``FeedError`` `.notFound` unless it is the author's.
    package func edit(_ id: Int64, to draft: StatusDraft, by author: Account) async throws -> Status {
        try await statuses.edit(id: id, to: try await prepare(draft, by: author, inReplyTo: nil))
    }

    private func prepare(
        _ draft: StatusDraft, by author: Account, inReplyTo target: Status?
    ) async throws -> PreparedStatus {
        guard draft.text.utf8.count + draft.spoilerText.utf8.count <= limits.statusBytes else {
            throw FeedError.invalid("Text is longer than \(limits.statusBytes) bytes")
        }
        let segments = TextParser.parse(draft.text)
        try Self.check(draft, segments: segments, limits: limits)
        let known = try await accounts.accounts(named: TextRendering.mentionedNames(in: segments))
        var draft = draft
        draft.inReplyToID = target?.id
        return PreparedStatus(
            accountID: author.id, draft: draft, rendered: TextRendering.render(segments, known: known),
            inReplyToAccountID: target?.account.id)
    }

    private func replyTarget(of draft: StatusDraft, for author: Account) async throws -> Status? {
        guard let id = draft.inReplyToID else { return nil }
        guard let target = try await statuses.status(id: id, for: author.id) else {
            throw FeedError(.notFound, "The status you are replying to does not exist")
        }
        return target
    }

    /// The bounds on a text that is short enough to be looked at.
    static func check(_ draft: StatusDraft, segments: [TextSegment], limits: Limits) throws(FeedError) {
        guard draft.text.contains(where: { !$0.isWhitespace }) else { throw .invalid("Text can't be blank") }
        let length = TextRendering.length(of: segments, linkLength: limits.linkLength) + draft.spoilerText.count
        guard length <= limits.statusCharacters else {
            throw .invalid("Text character limit of \(limits.statusCharacters) exceeded")
        }
    }
}
