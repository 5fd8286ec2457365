/// The limits on media attachments, avatars and headers.
package struct MediaLimits: Sendable, Equatable {
    /// The maximum size of an uploaded image in bytes.
    package var imageBytes = 16 << 20
    /// The maximum size of an uploaded video or audio file in bytes.
    package var videoBytes = 40 << 20
    /// The maximum number of pixels of an image or of a frame of a video.
    package var pixels = 33_000_000
    /// The number of pixels of a thumbnail.
    package var thumbnailPixels = 640 * 360
    /// The maximum number of attachments of a status.
    package var perStatus = 4
    /// The maximum length of a description in characters.
    package var descriptionCharacters = 1500
    /// The maximum size in bytes of an avatar or header. A larger one is replaced by its thumbnail.
    package var profileImageBytes = 1 << 20

    /// The time in milliseconds for which an attachment is kept that belongs to no status.
    package static let unattachedLifetime: Int64 = 86_400_000
    /// The time in milliseconds after which an upload that is still being processed has failed, because the server that
    /// processed it has ended.
    package static let processingTime: Int64 = 600_000

    package init() {}

    /// The maximum size of any upload in bytes.
    package var uploadBytes: Int64 { Int64(max(imageBytes, videoBytes)) }

    /// - Returns: The maximum size in bytes of an upload in a format.
    package func bytes(of format: MediaFormat) -> Int { format.kind == .image ? imageBytes : videoBytes }
}
