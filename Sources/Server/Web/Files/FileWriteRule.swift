import FeedCore
import FeedFiles

/// The permission and preconditions to replace or delete a file.
struct FileWriteRule: Sendable {
    let viewer: Account
    let conditions: Preconditions

    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkPut(_ existing: StoredFile?) throws {
        if let existing, existing.ownerID != viewer.id {
            throw FeedError(.forbidden, "This name belongs to another account", hint: "Choose another name.")
        }
        try checkConditions(existing)
    }

    /// Admins may delete any file.
    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkDelete(_ existing: StoredFile) throws {
        guard existing.ownerID == viewer.id || viewer.role == .admin else {
            throw FeedError(.forbidden, "This file belongs to another account")
        }
        try checkConditions(existing)
    }

    private func checkConditions(_ existing: StoredFile?) throws {
        let representation = existing.map {
            RepresentationMetadata(
                tag: EntityTag(hash: $0.blob.hash), modified: $0.modifiedAt / 1000, size: $0.blob.size)
        }
        guard conditions.allowWrite(over: representation) else { throw PreconditionFailed() }
    }
}

/// A precondition of the request failed (RFC 9110 §13).
struct PreconditionFailed: Error {}
