/// The format of a media file, as its bytes show.
package enum MediaFormat: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif, mp4, webm, mp3, ogg

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
        }
    }

    package var kind: MediaKind {
        switch self {
        case .jpeg, .png, .webp, .gif: .image
        case .mp4, .webm: .video
        case .mp3, .ogg: .audio
        }
    }
}

/// The kind of a media attachment, as Mastodon's `type` names it. An animated GIF is an image.
package enum MediaKind: String, Sendable {
    case image, gifv, video, audio, unknown
}
