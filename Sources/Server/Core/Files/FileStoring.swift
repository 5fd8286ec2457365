/// Stores file names and metadata; the contents are in a ``BlobStoring``.
package protocol FileStoring: Sendable {
    func file(named name: String) async throws -> StoredFile?
    /// Stores or replaces a file in one transaction.
    /// - Parameters:
    ///   - quota: The owner's quota in bytes; `nil` for no limit.
    ///   - decide: Inspects the existing file, if any, and throws to refuse the change.
    /// - Returns: Whether the name is new.
    /// - Throws: ``FeedError`` `.quota`, and any error thrown by `decide`.
    func put(
        _ file: StoredFile, quota: Int64?, replacing decide: @escaping @Sendable (StoredFile?) throws -> Void
    ) async throws -> Bool
    /// Stores all files in one transaction, renaming those whose name is taken to `name-2.ext`, `name-3.ext` and so on.
    /// - Parameter quota: The owner's quota in bytes; `nil` for no limit.
    /// - Returns: The files with their final names.
    /// - Throws: ``FeedError`` `.quota`.
    func add(_ files: [StoredFile], quota: Int64?) async throws -> [StoredFile]
    /// Deletes a file. Its blob is removed by the next garbage collection.
    /// - Parameter decide: Inspects the file and throws to refuse the deletion.
    /// - Returns: Whether the file existed.
    func delete(named name: String, _ decide: @escaping @Sendable (StoredFile) throws -> Void) async throws -> Bool
    /// The total size of an account's files in bytes.
    func bytes(of account: Int64) async throws -> Int64
    /// An account's files sorted by name, starting after the name `after`.
    func files(of account: Int64, after: String?, limit: Int) async throws -> [StoredFile]
}

/// Stores the contents of files.
package protocol BlobStoring: Sendable {
    /// The path of the file that contains a blob.
    func path(_ hash: String) -> String
}
