/// An uploaded image, video or audio file that belongs to a status, or will. Times are milliseconds since 1970, UTC.
package struct StoredMedia: Sendable, Equatable {
    /// The content, once it has been processed.
    package struct Content: Sendable, Equatable {
        package var format: MediaFormat
        package var blob: Blob
        package var meta: MediaMeta
        package var blurhash: String?

        package init(format: MediaFormat, blob: Blob, meta: MediaMeta, blurhash: String?) {
            self.format = format
            self.blob = blob
            self.meta = meta
            self.blurhash = blurhash
        }
    }

    /// A smaller image. Its size is in pixels.
    package struct Thumbnail: Sendable, Equatable {
        package var blob: Blob
        package var format: MediaFormat
        package var width: Int?
        package var height: Int?

        package init(blob: Blob, format: MediaFormat, width: Int? = nil, height: Int? = nil) {
            self.blob = blob
            self.format = format
            self.width = width
            self.height = height
        }
    }

    package var id: Int64
    package var accountID: Int64
    /// The status to which the file belongs, perhaps only a former version of it.
    package var statusID: Int64?
    /// The scheduled status that will have the file.
    package var scheduledID: Int64?
    /// The unguessable part of the addresses.
    package var key: String
    /// `nil` while the upload is being processed, and if that has failed.
    package var content: Content?
    package var thumbnail: Thumbnail?
    package var description: String?
    package var focus: MediaFocus?
    /// The reason why the upload could not be processed.
    package var failure: String?
    package var createdAt: Int64
    /// The time at which a file without a status is deleted.
    package var expiresAt: Int64?

    package init(id: Int64, accountID: Int64, key: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.key = key
        self.createdAt = createdAt
    }

    /// Whether the upload can no longer become ready.
    /// - Parameter now: Milliseconds since 1970.
    package func hasFailed(at now: Int64) -> Bool {
        content == nil && (failure != nil || createdAt <= now - MediaLimits.processingTime)
    }

    /// Sets the content, but not the thumbnail, whose format is not known here.
    package mutating func apply(_ processed: ProcessedMedia) {
        content = Content(
            format: processed.format, blob: processed.content, meta: processed.meta, blurhash: processed.blurhash)
    }

    /// The blobs to which the file refers.
    package var blobs: [Blob] { [content?.blob, thumbnail?.blob].compactMap(\.self) }
}

extension StoredMedia {
    /// The last segment of the address of the content.
    private var contentName: String? { content.map { $0.format.kind.rawValue + "." + $0.format.fileExtension } }

    /// The last segment of the address of the thumbnail. It contains part of the hash, because a thumbnail can be replaced
    /// although addresses are immutable.
    private var thumbnailName: String? {
        thumbnail.map { "preview-\($0.blob.hash.description.prefix(12)).\($0.format.fileExtension)" }
    }

    private func path(_ name: String) -> String { "/media/" + key + "/" + name }

    /// The file as a status shows it; `nil` unless it has been processed.
    package var attachment: MediaAttachment? {
        guard let content, let contentName else { return nil }
        var meta = content.meta
        (meta.thumbnailWidth, meta.thumbnailHeight) = (thumbnail?.width, thumbnail?.height)
        return MediaAttachment(
            id: id, kind: content.format.kind, format: content.format, path: path(contentName),
            previewPath: thumbnailName.map(path), description: description, focus: focus, blurhash: content.blurhash,
            meta: meta, size: content.blob.size)
    }

    /// The content that a request for the last segment of an address gets.
    package func file(named name: String) -> (blob: Blob, format: MediaFormat)? {
        if name == contentName { return content.map { ($0.blob, $0.format) } }
        if name == thumbnailName { return thumbnail.map { ($0.blob, $0.format) } }
        return nil
    }
}
