/// A post that is kept on disk because the server refused it, or because it was not sent and is not in the outbox.
public struct KeptDraft: Codable, Sendable, Equatable {
    /// Identifies the draft on this machine: six letters and digits.
    public let id: String
    public let account: OutboxAccount
    /// The text as it was sent, with all mentions, and what belongs to it.
    public let post: OutboxPost
    /// The status whose new text this is; `nil` for a new status.
    public let editedID: String?
    /// Why the server refused it.
    public let reason: String?
    /// Milliseconds since 1970.
    public let createdAt: Int64

    /// - Parameter id: The id of the draft to replace, or of the post in the outbox; `nil` for a new one.
    public init(
        _ post: OutboxPost, by account: OutboxAccount, editing editedID: String? = nil, reason: String? = nil,
        id: String? = nil
    ) {
        (self.post, self.account, self.editedID, self.reason) = (post, account, editedID, reason)
        (self.id, createdAt) = (id ?? LocalID.make(), Milliseconds.now)
    }

    /// Whether another draft says the same, apart from when and why it was kept.
    func hasSameContent(as other: KeptDraft) -> Bool {
        (account, post, editedID) == (other.account, other.post, other.editedID)
    }
}
