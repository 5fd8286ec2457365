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
