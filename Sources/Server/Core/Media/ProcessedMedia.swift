/// The result of processing an upload.
package struct ProcessedMedia: Sendable, Equatable {
    package var format: MediaFormat
    package var meta: MediaMeta
    /// Whether an image has more than one frame.
    package var isAnimated: Bool
    /// The placeholder shown until the image is loaded (blurha.sh).
    package var blurhash: String?
    /// The copy without metadata.
    package var content: Blob
    /// A smaller image. Its format is detected from its content.
    package var thumbnail: Blob?

    package init(
        format: MediaFormat, meta: MediaMeta, isAnimated: Bool = false, blurhash: String? = nil, content: Blob,
        thumbnail: Blob? = nil
    ) {
        self.format = format
        self.meta = meta
        self.isAnimated = isAnimated
        self.blurhash = blurhash
        self.content = content
        self.thumbnail = thumbnail
    }

    /// The picture to show as an avatar or header: the image itself if it is small, otherwise its thumbnail; `nil` if
    /// neither is suitable.
    package func picture(_ limits: MediaLimits) -> Picture? {
        guard format.kind == .image else { return nil }
        let small = [content, thumbnail].compactMap(\.self).filter { $0.size <= Int64(limits.profileImageBytes) }
        guard let image = small.first else { return nil }
        // A thumbnail is never animated.
        return Picture(image: image, still: isAnimated ? small.last ?? image : image)
    }

    /// The blobs that processing has published.
    package var blobs: [Blob] { [content] + (thumbnail.map { [$0] } ?? []) }
}

/// The blobs of an avatar or a header.
package struct Picture: Sendable, Equatable {
    package var image: Blob
    /// A still image: ``image`` itself unless it is animated and can be decoded.
    package var still: Blob

    package init(image: Blob, still: Blob) {
        self.image = image
        self.still = still
    }

    /// The blobs, each once.
    package var blobs: [Blob] { image == still ? [image] : [image, still] }
}

/// Checks uploads, removes their metadata and makes thumbnails.
package protocol MediaProcessing: Sendable {
    /// Publishes the content and the thumbnail as blobs, to which nothing refers yet.
    /// - Parameter path: A complete file, which is left unchanged.
    /// - Throws: ``FeedError`` `.invalid` if the file is refused, with a hint; `.unavailable` if too many files are
    ///   waiting.
    func process(_ path: String, limits: MediaLimits) async throws -> ProcessedMedia
}
