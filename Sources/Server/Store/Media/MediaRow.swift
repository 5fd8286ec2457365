import FeedCore

/// Reads and writes rows of media.
enum MediaRow {
    static let columns = """
        m.id, m.account_id, m.status_id, m.key, m.created_at, m.expires_at, m.description, m.focus_x, m.focus_y, \
        m.failure, m.format, m.blob, m.size, m.width, m.height, m.milliseconds, m.blurhash, m.thumbnail_format, \
        m.thumbnail, m.thumbnail_size, m.thumbnail_width, m.thumbnail_height, m.scheduled_id
        """

    static func decode(_ row: Row) throws -> StoredMedia {
        var media = StoredMedia(id: row[0], accountID: row[1], key: row[3], createdAt: row[4])
        media.statusID = row[2]
        media.expiresAt = row[5]
        media.description = row[6]
        if let x = row[7] as Int?, let y = row[8] as Int? { media.focus = MediaFocus(storedX: x, storedY: y) }
        media.failure = row[9]
        media.content = try content(row)
        media.thumbnail = try thumbnail(row)
        media.scheduledID = row[22]
        return media
    }

    private static func content(_ row: Row) throws -> StoredMedia.Content? {
        guard let format = (row[10] as String?).flatMap(MediaFormat.init(rawValue:)),
            let blob = try row.optionalBlob(11, of: "media.blob")
        else { return nil }
        return StoredMedia.Content(
            format: format, blob: Blob(hash: blob, size: row[12]),
            meta: MediaMeta(width: row[13], height: row[14], milliseconds: row[15]), blurhash: row[16])
    }

    private static func thumbnail(_ row: Row) throws -> StoredMedia.Thumbnail? {
        guard let format = (row[17] as String?).flatMap(MediaFormat.init(rawValue:)),
            let blob = try row.optionalBlob(18, of: "media.thumbnail")
        else { return nil }
        return StoredMedia.Thumbnail(
            blob: Blob(hash: blob, size: row[19]), format: format, width: row[20], height: row[21])
    }

    /// Stores a new row.
    static func insert(_ media: StoredMedia, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO media (description, focus_x, focus_y, failure, format, blob, size, width, height, milliseconds,
                blurhash, thumbnail_format, thumbnail, thumbnail_size, thumbnail_width, thumbnail_height, id, account_id,
                key, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: values(of: media) + [media.id, media.accountID, media.key, media.createdAt, media.expiresAt])
    }

    /// Stores everything that its owner or the processing can change.
    static func update(_ media: StoredMedia, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE media SET description = ?, focus_x = ?, focus_y = ?, failure = ?, format = ?, blob = ?, size = ?,
                width = ?, height = ?, milliseconds = ?, blurhash = ?, thumbnail_format = ?, thumbnail = ?,
                thumbnail_size = ?, thumbnail_width = ?, thumbnail_height = ? WHERE id = ?
                """
        ).execute(arguments: values(of: media) + [media.id])
    }

    private static func values(of media: StoredMedia) -> SQLArguments {
        let (content, thumbnail, focus) = (media.content, media.thumbnail, media.focus?.stored)
        return [
            media.description, focus?.x, focus?.y, media.failure, content?.format.rawValue, content?.blob.hash,
            content?.blob.size ?? 0, content?.meta.width, content?.meta.height, content?.meta.milliseconds,
            content?.blurhash, thumbnail?.format.rawValue, thumbnail?.blob.hash, thumbnail?.blob.size ?? 0,
            thumbnail?.width, thumbnail?.height,
        ]
    }
}
