/// Stores media attachments; their bytes are stored as blobs.
package protocol MediaStoring: Sendable {
    /// Stores an attachment, which expires unless it is attached to a status.
    /// - Parameters:
    ///   - processed: `nil` for an upload that is still being processed.
    ///   - quota: The owner's quota in bytes; `nil` for no limit.
    /// - Throws: ``FeedError`` `.quota`.
    func create(
        _ processed: ProcessedMedia?, _ draft: MediaDraft, by account: Int64, quota: Int64?
    ) async throws -> StoredMedia
    /// Completes an attachment that was being processed.
    /// - Returns: `nil` if the attachment has been deleted meanwhile.
    /// - Throws: ``FeedError`` `.quota`.
    func complete(_ id: Int64, _ processed: ProcessedMedia, _ draft: MediaDraft, quota: Int64?) async throws
        -> StoredMedia?
    /// Records why an upload could not be processed.
    func fail(_ id: Int64, _ message: String) async throws
    /// An attachment of an account, unless it has expired.
    func media(id: Int64, of account: Int64) async throws -> StoredMedia?
    /// The attachment with an unguessable key, unless it has expired or its owner is suspended.
    func media(key: String) async throws -> StoredMedia?
    /// Changes an attachment. A replaced thumbnail is listed as replaced.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such attachment, `.quota`.
    func update(_ id: Int64, of account: Int64, _ draft: MediaDraft, quota: Int64?) async throws -> StoredMedia
    /// Deletes an attachment that belongs to no status. Its blobs are listed as replaced.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such attachment, `.invalid` if it belongs to a status.
    func delete(_ id: Int64, of account: Int64) async throws
    /// Deletes expired attachments, at most 100. Their blobs are listed as replaced.
    /// - Returns: The number of deleted attachments.
    func removeExpired() async throws -> Int
}
