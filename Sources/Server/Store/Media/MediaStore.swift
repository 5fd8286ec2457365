package import FeedCore

/// Stores media attachments in the database; their bytes are stored as blobs.
package struct MediaStore: Sendable {
    /// The number of expired attachments deleted per transaction.
    private static let batch = 100

    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Stores an attachment, which expires unless it is attached to a status.
    /// - Parameters:
    ///   - processed: `nil` for an upload that is still being processed.
    ///   - quota: The owner's quota in bytes; `nil` for no limit.
    /// - Throws: ``FeedError`` `.quota`.
    package func create(
        _ processed: ProcessedMedia?, _ draft: MediaChanges, by account: Int64, quota: Int64?
    ) async throws -> StoredMedia {
        let (now, key) = (database.clock.now(), Secret.randomText())
        return try await database.commits.write { db in
            try db.requireActiveAccount(account)
            var media = StoredMedia(id: try db.nextID(now: now), accountID: account, key: key, createdAt: now)
            media.expiresAt = now + MediaLimits.unattachedLifetime
            if let processed { media.apply(processed) }
            draft.apply(to: &media)
            try Self.check(quota, from: nil, to: media, in: db)
            try MediaRow.insert(media, in: db)
            return media
        }
    }

    /// Completes an attachment that was being processed.
    /// - Returns: `nil` if the attachment has been deleted meanwhile.
    /// - Throws: ``FeedError`` `.quota`.
    package func complete(
        _ id: Int64, _ processed: ProcessedMedia, _ draft: MediaChanges, quota: Int64?
    ) async throws -> StoredMedia? {
        try await database.commits.write { db in
            guard let before = try Self.find(db, id: id), before.content == nil else { return nil }
            try db.requireActiveAccount(before.accountID)
            var media = before
            media.apply(processed)
            media.failure = nil
            draft.apply(to: &media)
            // A thumbnail that the owner has sent meanwhile is not replaced.
            media.thumbnail = before.thumbnail ?? media.thumbnail
            try Self.check(quota, from: before, to: media, in: db)
            try MediaRow.update(media, in: db)
            if let unused = draft.thumbnail?.blob, unused != media.thumbnail?.blob {
                try FileStore.recordReplaced(unused, of: media.accountID, in: db)
            }
            return media
        }
    }

    /// Records why an upload could not be processed.
    package func fail(_ id: Int64, _ message: String) async throws {
        try await database.commits.write { db in
            try db.execute("UPDATE media SET failure = \(message) WHERE id = \(id) AND blob IS NULL")
        }
    }

    /// An attachment of an account, unless it has expired.
    package func media(id: Int64, of account: Int64) async throws -> StoredMedia? {
        let now = database.clock.now()
        return try await database.read { try Self.find($0, id: id, of: account, at: now) }
    }

    /// The attachment with an unguessable key, unless it has expired or its owner is suspended, and whether its owner asks
    /// search engines to ignore it.
    package func publicMedia(key: String) async throws -> (media: StoredMedia, isNoindex: Bool)? {
        let now = database.clock.now()
        return try await database.read { db in
            let query: SQL = """
                SELECT \(sql: MediaRow.columns), a.privacy FROM media m CROSS JOIN account a ON a.id = m.account_id
                WHERE m.key = \(key) AND a.suspended_at IS NULL AND (m.status_id IS NOT NULL OR
                m.expires_at > \(now))
                """
            return try db.fetchOne(query).map { row in
                let privacy = Account.Privacy(rawValue: try row[MediaRow.Column.allCases.count])
                return (try MediaRow.decode(row), privacy.contains(.noindex))
            }
        }
    }

    /// Changes an attachment. A replaced thumbnail is listed as replaced.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such attachment, `.quota`.
    package func update(
        _ id: Int64, of account: Int64, _ draft: MediaChanges, quota: Int64?
    ) async throws -> StoredMedia {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.requireActiveAccount(account)
            guard let before = try Self.find(db, id: id, of: account, at: now) else { throw FeedError.notFound }
            var media = before
            draft.apply(to: &media)
            try Self.check(quota, from: before, to: media, in: db)
            guard media != before else { return media }
            try Self.store(media, replacing: before, at: now, in: db)
            return media
        }
    }

    /// Deletes an attachment that belongs to no status. Its blobs are listed as replaced.
    /// - Throws: ``FeedError`` `.notFound` if the account has no such attachment, `.invalid` if it belongs to a status.
    package func delete(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            guard let media = try Self.find(db, id: id, of: account, at: now) else { throw FeedError.notFound }
            guard media.statusID == nil, media.scheduledID == nil else {
                throw FeedError.invalid("Media attachment is currently used by a post and cannot be deleted")
            }
            try Self.remove(media, in: db)
        }
    }

    /// Deletes expired attachments, at most 100. Their blobs are listed as replaced.
    /// - Returns: The number of deleted attachments.
    package func removeExpired() async throws -> Int {
        let now = database.clock.now()
        let query: SQL = """
            SELECT \(sql: MediaRow.columns) FROM media m
            WHERE m.status_id IS NULL AND (m.expires_at <= \(now) OR m.expires_at IS NULL)
            ORDER BY m.expires_at LIMIT \(Self.batch)
            """
        // Usually nothing has expired, and a transaction would cost an fsync.
        guard try await database.read({ try $0.fetchOne(query) != nil }) else { return 0 }
        return try await database.commits.write(freesSpace: true) { db in
            let expired = try db.fetchAll(query).map(MediaRow.decode)
            for media in expired { try Self.remove(media, in: db) }
            return expired.count
        }
    }
}

extension MediaStore {
    static func find(_ db: Database, id: Int64) throws -> StoredMedia? {
        let query: SQL = "SELECT \(sql: MediaRow.columns) FROM media m WHERE m.id = \(id)"
        return try db.fetchOne(query).map(MediaRow.decode)
    }

    /// The files among `ids` that exist, by id.
    static func find(_ db: Database, ids: [Int64]) throws -> [Int64: StoredMedia] {
        guard !ids.isEmpty else { return [:] }
        let query: SQL = "SELECT \(sql: MediaRow.columns) FROM media m WHERE m.id IN (\(ids: ids))"
        let media = try db.fetchAll(query).map(MediaRow.decode)
        return Dictionary(media.map { ($0.id, $0) }) { first, _ in first }
    }

    /// A file of an account, unless it has expired.
    private static func find(_ db: Database, id: Int64, of account: Int64, at now: Int64) throws -> StoredMedia? {
        guard let media = try find(db, id: id), media.accountID == account else { return nil }
        return media.statusID != nil || media.expiresAt ?? 0 > now ? media : nil
    }

    /// - Throws: ``FeedError`` `.quota` if a changed file needs more space than is left.
    private static func check(
        _ quota: Int64?, from old: StoredMedia?, to new: StoredMedia, in db: Database
    ) throws {
        let (used, wanted) = (bytes(of: old), bytes(of: new))
        guard wanted > used else { return }
        try FileStore.quota(quota, of: new.accountID, in: db).check(wanted, replacing: used)
    }

    private static func bytes(of media: StoredMedia?) -> Int64 {
        media?.blobs.reduce(0) { sum, blob in
            let (total, overflows) = sum.addingReportingOverflow(max(0, blob.size))
            return overflows ? .max : total
        } ?? 0
    }

    /// Stores a changed file. The status that shows it changes, too.
    static func store(_ media: StoredMedia, replacing old: StoredMedia, at now: Int64, in db: Database) throws {
        try MediaRow.update(media, in: db)
        if let thumbnail = old.thumbnail, thumbnail.blob != media.thumbnail?.blob {
            try FileStore.recordReplaced(thumbnail.blob, of: media.accountID, in: db)
        }
        guard let status = media.statusID else { return }
        try StatusIndex.refresh([status], in: db)
        try db.log(.mediaUpdated, subject: status, account: media.accountID, at: now)
    }

    /// Deletes a file. The caller updates the status to which it belongs.
    static func remove(_ media: StoredMedia, in db: Database) throws {
        try db.execute("DELETE FROM media WHERE id = \(media.id)")
        for blob in media.blobs { try FileStore.recordReplaced(blob, of: media.accountID, in: db) }
    }
}

extension MediaStore {
    /// Reserves files for a scheduled status, in the transaction that stores it. They no longer expire.
    /// - Throws: ``FeedError`` `.invalid` if one of the files cannot be attached.
    static func reserve(
        _ draft: StatusDraft, for scheduled: Int64, by account: Int64, at now: Int64, in db: Database
    ) throws {
        guard !draft.mediaIDs.isEmpty else { return }
        try take(draft, to: nil, by: account, at: now, in: db) { id in
            try db.execute(
                "UPDATE media SET scheduled_id = \(scheduled), expires_at = \(Int64.max) WHERE id = \(id)")
        }
    }

    /// Releases the files of a scheduled status that is being canceled.
    static func release(from scheduled: Int64, of account: Int64, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE media SET scheduled_id = NULL, expires_at = \(now + MediaLimits.unattachedLifetime)
            WHERE scheduled_id = \(scheduled) AND account_id = \(account)
            """)
    }
}
