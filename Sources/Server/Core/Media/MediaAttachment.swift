/// An image, video or audio file that belongs to a status, or will. Times are milliseconds since 1970, UTC.
package struct MediaAttachment: Sendable, Equatable {
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

    /// A smaller image.
    package struct Thumbnail: Sendable, Equatable {
        package var blob: Blob
        package var format: MediaFormat

        package init(blob: Blob, format: MediaFormat) {
            self.blob = blob
            self.format = format
        }
    }

    package var id: Int64
    package var accountID: Int64
    /// The status to which the attachment belongs, perhaps only a former version of it.
    package var statusID: Int64?
    /// The unguessable part of the addresses.
    package var key: String
    /// `nil` while the upload is being processed, and if that has failed.
    package var content: Content?
    package var thumbnail: Thumbnail?
    package var description: String?
    package var focus: MediaFocus?
    /// Why the upload could not be processed.
    package var failure: String?
    package var createdAt: Int64
    /// The time at which an attachment without a status is deleted.
    package var expiresAt: Int64?

    package init(id: Int64, accountID: Int64, key: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.key = key
        self.createdAt = createdAt
    }

    package var kind: MediaKind { content?.format.kind ?? .unknown }

    /// The last segment of the address of the content.
    package var contentName: String? { content.map { $0.format.kind.rawValue + "." + $0.format.fileExtension } }

    /// The last segment of the address of the thumbnail. It contains part of the hash, because a thumbnail can be replaced
    /// although addresses are immutable.
    package var thumbnailName: String? {
        thumbnail.map { "preview-" + $0.blob.hash.prefix(12) + "." + $0.format.fileExtension }
    }

    /// - Parameter now: Milliseconds since 1970.
    package func hasFailed(at now: Int64) -> Bool {
        content == nil && (failure != nil || createdAt <= now - MediaLimits.processingTime)
    }

    /// The content that a request for the last segment of an address gets.
    package func file(named name: String) -> (blob: Blob, format: MediaFormat)? {
        if name == contentName { return content.map { ($0.blob, $0.format) } }
        if name == thumbnailName { return thumbnail.map { ($0.blob, $0.format) } }
        return nil
    }

    /// The blobs to which the attachment refers.
    package var blobs: [Blob] { [content?.blob, thumbnail?.blob].compactMap(\.self) }
}
