import FeedCore

/// Reads and writes rows of media.
enum MediaRow {
    enum Column: Int, EntityColumn {
        case id, accountID, statusID, key, createdAt, expiresAt, description, focusX, focusY, failure, format, blob,
            size, width, height, milliseconds, blurhash, thumbnailFormat, thumbnail, thumbnailSize, thumbnailWidth,
            thumbnailHeight, scheduledID
    }

    static let columns = Column.list(of: "m")

    static func decode(_ row: Row) throws -> StoredMedia {
        let row = EntityRow(row, Column.self)
        var media = try StoredMedia(
            id: row[.id], accountID: row[.accountID], key: row[.key], createdAt: row[.createdAt])
        media.statusID = try row[.statusID]
        media.expiresAt = try row[.expiresAt]
        media.description = try row[.description]
        if let x = try row[.focusX] as Int?, let y = try row[.focusY] as Int? {
            media.focus = MediaFocus(storedX: x, storedY: y)
        }
        media.failure = try row[.failure]
        media.content = try content(row)
        media.thumbnail = try thumbnail(row)
        media.scheduledID = try row[.scheduledID]
        return media
    }

    private static func content(_ row: EntityRow<Column>) throws -> StoredMedia.Content? {
        guard let format = try (row[.format] as String?).flatMap(MediaFormat.init(rawValue:)),
            let blob = try row[.blob] as BlobHash?
        else { return nil }
        return try StoredMedia.Content(
            format: format, blob: Blob(hash: blob, size: row[.size]),
            meta: MediaMeta(width: row[.width], height: row[.height], milliseconds: row[.milliseconds]),
            blurhash: row[.blurhash])
    }

    private static func thumbnail(_ row: EntityRow<Column>) throws -> StoredMedia.Thumbnail? {
        guard let format = try (row[.thumbnailFormat] as String?).flatMap(MediaFormat.init(rawValue:)),
            let blob = try row[.thumbnail] as BlobHash?
        else { return nil }
        return try StoredMedia.Thumbnail(
            blob: Blob(hash: blob, size: row[.thumbnailSize]), format: format, width: row[.thumbnailWidth],
            height: row[.thumbnailHeight])
    }

    /// Stores a new row.
    static func insert(_ media: StoredMedia, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO media (id, account_id, key, created_at, expires_at)
            VALUES (\(media.id), \(media.accountID), \(media.key), \(media.createdAt), \(media.expiresAt))
            """)
        try update(media, in: db)
    }

    /// Stores everything that its owner or the processing can change.
    static func update(_ media: StoredMedia, in db: Database) throws {
        let (content, thumbnail, focus) = (media.content, media.thumbnail, media.focus?.stored)
        try db.execute(
            """
            UPDATE media SET description = \(media.description), focus_x = \(focus?.x), focus_y = \(focus?.y),
                failure = \(media.failure), format = \(content?.format.rawValue), blob = \(content?.blob.hash),
                size = \(content?.blob.size ?? 0), width = \(content?.meta.width), height = \(content?.meta.height),
                milliseconds = \(content?.meta.milliseconds), blurhash = \(content?.blurhash),
                thumbnail_format = \(thumbnail?.format.rawValue), thumbnail = \(thumbnail?.blob.hash),
                thumbnail_size = \(thumbnail?.blob.size ?? 0), thumbnail_width = \(thumbnail?.width),
                thumbnail_height = \(thumbnail?.height)
            WHERE id = \(media.id)
            """)
    }
}
