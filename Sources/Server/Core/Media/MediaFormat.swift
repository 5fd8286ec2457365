/// A format of media attachments. The raw values are stored.
package enum MediaFormat: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif, mp4, webm, mp3, ogg
    /// MP4 and WebM without pictures.
    case m4a, weba

    /// The media type in which the content is served.
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .mp4: "video/mp4"
        case .webm: "video/webm"
        case .mp3: "audio/mpeg"
        case .ogg: "audio/ogg"
        case .m4a: "audio/mp4"
        case .weba: "audio/webm"
        }
    }

    /// The extension of file names, without a dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// An animated GIF is an image, because it is served as a GIF.
    package var kind: MediaKind {
        switch self {
        case .jpeg, .png, .webp, .gif: .image
        case .mp4, .webm: .video
        case .mp3, .ogg, .m4a, .weba: .audio
        }
    }
}

/// The `type` of a media attachment in the Mastodon API.
package enum MediaKind: String, Sendable, CaseIterable {
    case image, gifv, video, audio, unknown
}

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
