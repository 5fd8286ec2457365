/// What an ``Outbox`` holds.
public struct OutboxContents: Sendable {
    /// All entries, of all accounts, the oldest first.
    public let entries: [OutboxEntry]
    /// The paths of files that cannot be read, for example because they belong to another user, are damaged, or were
    /// written by another version. They are left alone.
    public let unreadableFiles: [String]
}
