public import FeedAPI

/// The properties that a reply inherits from the status that it answers: mentions, visibility and content warning.
public struct ReplyDraft: Sendable, Equatable {
    public let inReplyToID: String
    /// The handles of the author and of all mentioned accounts, without `@` and without the replying account.
    public let mentions: [String]
    /// The visibility of the status, unless the replying account's own default is narrower; `nil` for the server's
    /// default.
    public let visibility: String?
    public let spoilerText: String?
    private let host: String?

    /// - Parameters:
    ///   - status: The status to answer. For a boost, the boosted status is answered.
    ///   - account: The handle of the replying account, without `@`.
    ///   - standard: The visibility of its statuses by default.
    ///   - host: The host of the server, by which texts may name its accounts; `nil` if unknown.
    public init(
        answering status: Entity.Status, by account: String, standard: String? = nil, host: String? = nil
    ) {
        self.host = host
        let target = status.reblog?.value ?? status
        inReplyToID = target.id
        var seen: Set = [account.lowercased()]
        mentions = ([target.account.acct] + target.mentions.map(\.acct)).filter {
            seen.insert($0.lowercased()).inserted
        }
        visibility = Self.narrower(target.visibility, standard)
        spoilerText = target.spoiler_text.isEmpty ? nil : target.spoiler_text
    }

    /// The mentions as text to continue, such as `@ada @bob `; empty without any.
    public var opening: String { mentions.map { "@\($0) " }.joined() }

    /// A draft of the reply.
    /// - Parameters:
    ///   - text: The text of the reply.
    ///   - addsMentions: Whether to put the mentions that the text lacks before it. Without them, most servers do not
    ///     notify anyone.
    public func draft(_ text: String, addsMentions: Bool = true) -> Draft {
        let mentioned = handles(in: text)
        let missing = addsMentions ? mentions.filter { !mentioned.contains($0.lowercased()) } : []
        var draft = Draft(text: missing.map { "@\($0) " }.joined() + text)
        (draft.inReplyToID, draft.visibility, draft.spoilerText) = (inReplyToID, visibility, spoilerText)
        return draft
    }

    /// The mentioned handles in lowercase, without `@`.
    private func handles(in text: String) -> Set<String> {
        let matches = text.matches(of: /@([\p{L}\p{N}_.\-]+(?:@[\p{L}\p{N}_.\-]+(?::[0-9]+)?)?)/)
        return Set(
            matches.map { match in
                var name = match.1
                // The end of a sentence, not of a handle.
                while let last = name.last, last == "." || last == "-" { name.removeLast() }
                guard let host, let handle = AccountHandle(String(name)), handle.isLocal(to: host) else {
                    return name.lowercased()
                }
                return handle.name.lowercased()
            })
    }

    /// The narrower of two visibilities; `nil` if a status is public, because then the server's default applies.
    private static func narrower(_ one: String, _ other: String?) -> String? {
        let order = ["public", "unlisted", "private", "direct"]
        guard let first = order.firstIndex(of: one), first > 0 else { return nil }
        let second = other.flatMap { order.firstIndex(of: $0) } ?? 0
        return order[max(first, second)]
    }
}

extension FeedClient {
    /// Returns the properties that a reply to a status inherits from it.
    /// - Throws: ``FeedClientError``; `.notFound` if the status does not exist or is not visible.
    public func replyDraft(for id: String) async throws -> ReplyDraft {
        let status = try await status(id).status
        let profile = try await profile().profile
        return ReplyDraft(
            answering: status, by: profile.acct, standard: profile.source?.privacy, host: server.authority)
    }
}
