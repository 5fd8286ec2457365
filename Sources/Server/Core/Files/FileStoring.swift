/// Names of stored files; the bytes are in a ``BlobStoring``.
package protocol FileStoring: Sendable {
    func file(named name: String) async throws -> StoredFile?
    /// Stores or replaces, as `decide` says after it has seen what is there, all in one transaction.
    /// - Parameter quota: Bytes the owner may have in all.
    /// - Returns: Whether the name is new.
    /// - Throws: ``FeedError`` `.quota`, and what `decide` throws.
    func put(
        _ file: StoredFile, quota: Int64?, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool
    /// Stores under the names, or under `name-2.ext`, `name-3.ext` … where they are taken; all or none.
    /// - Parameter quota: Bytes the owner may have in all.
    /// - Throws: ``FeedError`` `.quota`.
    func add(_ files: [StoredFile], quota: Int64?) async throws -> [StoredFile]
    /// Removes the name when `decide` does not object; the bytes go with the next `gc`.
    /// - Returns: Whether there was such a file.
    func delete(named name: String, _ decide: @escaping @Sendable (StoredFile) throws -> Void) async throws -> Bool
    /// Bytes of all files of an account.
    func bytes(of account: Int64) async throws -> Int64
    /// An account's files in the order of their names, after the name `after`.
    func files(of account: Int64, after: String?, limit: Int) async throws -> [StoredFile]
}

/// Where the bytes of files are.
package protocol BlobStoring: Sendable {
    /// The path of a blob's bytes.
    func path(_ hash: String) -> String
}
