/// Stores which threads of direct statuses an account takes part in.
package protocol ConversationStoring: Sendable {
    /// The conversations of an account, paged by the id of their newest status. Omits conversations that
    /// the account has hidden, and those whose newest status it cannot see.
    func conversations(of account: Int64, page: Pagination) async throws -> Page<Conversation>
    /// The conversation of an account that ends with a status.
    /// - Returns: `nil` if it does not exist, the account has hidden it, or the account may not see the status.
    func conversation(endingWith status: Int64, of account: Int64) async throws -> Conversation?
    /// Marks a conversation as read.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such conversation.
    func markRead(_ id: Int64, of account: Int64) async throws -> Conversation
    /// Hides a conversation until its next status.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such conversation.
    func hide(_ id: Int64, of account: Int64) async throws
}
