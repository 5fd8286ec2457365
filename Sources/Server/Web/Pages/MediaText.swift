import FeedCore

/// Texts about media. Pure.
enum MediaText {
    /// The text for a file without a description.
    static func missing(_ kind: MediaKind) -> String { capitalized(name(kind)) + " without a description" }

    /// The number of files, for example `2 images` or `1 image, 1 video`.
    static func summary(of media: [MediaAttachment]) -> String {
        let kinds: [MediaKind] = [.image, .gifv, .video, .audio, .unknown]
        return kinds.compactMap { kind in
            let count = media.count(where: { $0.kind == kind })
            return count == 0 ? nil : "\(count) \(name(kind))" + (count == 1 ? "" : "s")
        }.joined(separator: ", ")
    }

    private static func name(_ kind: MediaKind) -> String {
        switch kind {
        case .image: "image"
        case .gifv: "animation"
        case .video: "video"
        case .audio: "recording"
        case .unknown: "file"
        }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
