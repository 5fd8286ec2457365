import AsyncHTTPClient
public import FeedAPI
import NIOCore

/// A thread of direct statuses, decoded and as the server sent it.
public struct ConversationEntry: Sendable, Equatable {
    public var conversation: Entity.Conversation
    /// The JSON object that the server sent.
    public var json: [UInt8]

    public init(conversation: Entity.Conversation, json: [UInt8]) {
        (self.conversation, self.json) = (conversation, json)
    }
}

extension FeedClient {
    private static let conversationsPerPage = 40
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumConversationPages = 1000

    /// Reads the conversations of this account, the one with the newest status first, from as many pages as necessary.
    /// - Parameters:
    ///   - count: The maximum number of conversations.
    ///   - onPage: Receives those of each page, before the next page is requested. Returns whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readConversations(
        count: Int, onPage: (_ conversations: [ConversationEntry]) async throws -> Bool
    ) async throws {
        if transport.isOffline, let kept = await keptConversations() {
            _ = try await onPage(Array(kept.prefix(count)))
            return
        }
        var cursors = PageCursors()
        var (before, missing) = (String?.none, count)
        for _ in 0..<Self.maximumConversationPages where missing > 0 {
            let query = [("limit", String(min(Self.conversationsPerPage, missing))), ("max_id", before)]
            let response: Response
            do {
                response = try await transport.send(request(Paths.conversations, query: query))
            } catch let error as FeedClientError where before != nil && error.cause is MissingResponse {
                // Without a network, there is only the first page.
                return
            }
            let page = try elements(of: response, as: Entity.Conversation.self).compactMap { element in
                element.value.map { ConversationEntry(conversation: $0, json: element.json) }
            }
            let entries = Array(page.prefix(missing))
            missing -= entries.count
            guard try await onPage(entries), let next = response.links.nextMaxID,
                cursors.advance(to: next)
            else { return }
            before = next
        }
    }

    /// The conversations that ``OfflineSync/syncAccount()`` has fetched.
    /// - Returns: `nil` if there are none, or if newer ones have been read since.
    private func keptConversations() async -> [ConversationEntry]? {
        func newest(_ conversation: Entity.Conversation?) -> StatusKey? {
            (conversation?.last_status?.id).flatMap { StatusKey($0) }
        }
        guard let kept = await storedList(.conversations) else { return nil }
        let query = [("limit", Optional(String(Self.conversationsPerPage)))]
        let response = try? await transport.send(request(Paths.conversations, query: query), .cacheOnly)
        let read = response.flatMap { try? items(of: $0, StoredListSource.conversations).first?.value }
        if let read = newest(read), newest(kept.items.first?.value).map({ $0 < read }) ?? true { return nil }
        return kept.items.map { ConversationEntry(conversation: $0.value, json: $0.json) }
    }

    /// Marks a conversation as read.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if there is no such conversation.
    @discardableResult public func markConversationRead(_ id: String) async throws -> Entity.Conversation {
        let path = Paths.conversations + "/" + Self.percentEncoded(id) + "/read"
        return try decode(Entity.Conversation.self, try await transport.send(formRequest(path, [])))
    }
}
