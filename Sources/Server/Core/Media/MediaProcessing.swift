/// What processing has made of an upload.
package struct ProcessedMedia: Sendable, Equatable {
    package var format: MediaFormat
    package var meta: MediaMeta
    /// The placeholder shown until the image is loaded (blurha.sh).
    package var blurhash: String?
    /// The copy without metadata.
    package var content: Blob
    /// A smaller image. Its format is detected from its content.
    package var thumbnail: Blob?

    package init(
        format: MediaFormat, meta: MediaMeta, blurhash: String? = nil, content: Blob, thumbnail: Blob? = nil
    ) {
        self.format = format
        self.meta = meta
        self.blurhash = blurhash
        self.content = content
        self.thumbnail = thumbnail
    }

    /// The blob to show as an avatar or header: the image itself if it is small, otherwise its thumbnail; `nil` if neither
    /// is suitable.
    package func picture(_ limits: MediaLimits) -> Blob? {
        guard format.kind == .image else { return nil }
        return [content, thumbnail].compactMap(\.self).first { $0.size <= Int64(limits.profileImageBytes) }
    }

    /// The blobs that processing has published.
    package var blobs: [Blob] { [content] + (thumbnail.map { [$0] } ?? []) }
}

/// Checks uploads, removes their metadata and makes thumbnails.
package protocol MediaProcessing: Sendable {
    /// Publishes the content and the thumbnail as blobs, to which nothing refers yet.
    /// - Parameter path: A complete file, which is left unchanged.
    /// - Throws: ``FeedError`` `.invalid` if the file is refused, with a hint; `.unavailable` if too many files are
    ///   waiting.
    func process(_ path: String, limits: MediaLimits) async throws -> ProcessedMedia
}
