import FeedCore
import Foundation

extension MediaStore {
    /// Attaches files to a status, in the transaction that stores it.
    /// - Parameter isNew: Whether the status is new; otherwise, the files of its former versions may be attached again.
    /// - Throws: ``FeedError`` `.invalid` if one of the files cannot be attached.
    static func attach(
        _ draft: StatusDraft, to status: Int64, by account: Int64, isNew: Bool, at now: Int64, in db: Database
    ) throws {
        guard !draft.mediaIDs.isEmpty else { return }
        try take(draft, to: isNew ? nil : status, by: account, at: now, in: db) { id in
            try db.execute("UPDATE media SET status_id = \(status), expires_at = NULL WHERE id = \(id)")
        }
    }

    /// Checks the files of a draft, and changes and assigns each of them.
    /// - Parameter status: The status that is edited; `nil` for a new one.
    /// - Throws: ``FeedError`` `.invalid` if one of the files cannot be attached.
    static func take(
        _ draft: StatusDraft, to status: Int64?, by account: Int64, at now: Int64, in db: Database,
        assign: (Int64) throws -> Void
    ) throws {
        let attachments = try find(db, ids: draft.mediaIDs)
        try AttachmentRule.check(draft.mediaIDs, found: attachments, by: account, to: status, at: now)
        for id in draft.mediaIDs {
            guard let before = attachments[id] else { continue }
            try assign(id)
            var media = before
            draft.mediaChanges[id]?.apply(to: &media)
            if media != before { try MediaRow.update(media, in: db) }
        }
    }

    /// Whether the files of a status, or their descriptions, differ from those of a draft.
    static func differs(_ draft: StatusDraft, from attached: [MediaAttachment]) -> Bool {
        guard attached.map(\.id) == draft.mediaIDs else { return true }
        return attached.contains { media in
            guard let change = draft.mediaChanges[media.id] else { return false }
            return change.trimmedDescription.map { $0 != media.description ?? "" } ?? false
                || change.focus.map { $0 != media.focus } ?? false
        }
    }

    /// Detaches the files of a status that is being deleted. They can be attached again for a day, but their old addresses
    /// no longer work.
    /// - Returns: The files that the status showed, with their new addresses.
    static func detach(from status: Status, at now: Int64, in db: Database) throws -> [MediaAttachment] {
        let owned = try owned(by: status.id, in: db)
        var detached: [Int64: MediaAttachment] = [:]
        for var media in owned {
            media.key = Secret.randomText()
            try db.execute(
                """
                UPDATE media SET status_id = NULL, key = \(media.key),
                expires_at = \(now + MediaLimits.unattachedLifetime) WHERE id = \(media.id)
                """)
            detached[media.id] = media.attachment
        }
        return status.media.compactMap { detached[$0.id] }
    }

    /// Deletes the files of a status that is being deleted.
    static func removeAll(of status: Int64, in db: Database) throws {
        for media in try owned(by: status, in: db) { try remove(media, in: db) }
    }

    /// The files of all versions of a status.
    private static func owned(by status: Int64, in db: Database) throws -> [StoredMedia] {
        let query: SQL = "SELECT \(sql: MediaRow.columns) FROM media m WHERE m.status_id = \(status)"
        return try db.fetchAll(query).map(MediaRow.decode)
    }
}

/// The files of a former version of a status, as they are stored.
struct StoredAttachment: Codable {
    private let id: Int64
    private let description: String?

    static func pack(_ media: [MediaAttachment]) throws -> String {
        guard !media.isEmpty else { return "[]" }
        let kept = media.map { StoredAttachment(id: $0.id, description: $0.description) }
        return String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
    }

    /// The files of several versions, with the descriptions that they had then.
    static func unpack(_ texts: [String], in db: Database) throws -> [[MediaAttachment]] {
        let versions = texts.map { text -> [StoredAttachment] in
            guard text != "[]" else { return [] }
            return (try? JSONDecoder().decode([StoredAttachment].self, from: Data(text.utf8))) ?? []
        }
        let mediaByID = try MediaStore.find(db, ids: Array(Set(versions.flatMap { $0.map(\.id) })))
        return versions.map { version in
            version.compactMap { kept in
                var media = mediaByID[kept.id]?.attachment
                media?.description = kept.description
                return media
            }
        }
    }
}
