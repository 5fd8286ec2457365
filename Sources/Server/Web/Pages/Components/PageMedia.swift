import FeedCore

/// The media of a status on a page.
extension TemplateValues {
    /// - Returns: `nil` if the status has no media.
    init?(mediaOf status: Status, _ text: any PageText) {
        guard !status.media.isEmpty else { return nil }
        self.init()
        // A content warning already hides everything.
        set(.sensitive, status.sensitive && status.spoilerText.isEmpty)
        set(.mediaSummary, MediaText.summary(of: status.media, text))
        let pictures = zip(status.media, 1...).filter(\.0.isPicture).map { (media: $0, number: $1) }
        if !pictures.isEmpty { self[.gallery] = .object(TemplateValues(gallery: pictures, text)) }
        self[.recordings] = .list(status.media.filter { !$0.isPicture }.map { TemplateValues($0, text) })
    }

    private init(gallery pictures: [(media: MediaAttachment, number: Int)], _ text: any PageText) {
        self.init()
        set(.galleryCount, String(min(pictures.count, 4)))
        self[.pictures] = .list(pictures.map { TemplateValues($0.media, number: $0.number, text) })
    }

    /// A file. The values that are not set must not have the name of a value of the status.
    /// - Parameter number: The number of the file in its status, under which it has a page.
    init(_ media: MediaAttachment, number: Int? = nil, _ text: any PageText) {
        self.init()
        set(.mediaNumber, number.map { String($0) })
        set(.picture, media.kind == .image)
        set(.video, media.kind == .video || media.kind == .gifv)
        set(.audio, media.kind == .audio)
        set(.mediaURL, media.path)
        // Without a thumbnail, an image is shown itself; a video shows its first frame.
        set(.mediaPreview, media.previewPath ?? (media.kind == .image ? media.path : nil))
        set(.mediaText, media.description?.nonEmpty ?? text.withoutDescription(media.kind))
        set(.mediaLabel, media.format == .gif ? "GIF" : nil)
        set(.mediaColor, media.blurhash.flatMap(BlurhashColor.average))
        setSize(media.meta)
        let focus = FocusPosition(media.focus)
        set(.focusX, String(focus.x))
        set(.focusY, String(focus.y))
    }

    private mutating func setSize(_ meta: MediaMeta) {
        guard let width = meta.width, let height = meta.height, width > 0, height > 0 else { return }
        set(.mediaWidth, String(width))
        set(.mediaHeight, String(height))
    }
}

extension MediaAttachment {
    /// Whether the file is shown in the gallery.
    fileprivate var isPicture: Bool {
        switch kind {
        case .image, .gifv, .video: true
        case .audio, .unknown: false
        }
    }
}

/// Texts about media.
enum MediaText {
    /// The number of files, for example `2 images` or `1 image, 1 video`.
    static func summary(of media: [MediaAttachment], _ text: any PageText = EnglishText()) -> String {
        let kinds: [MediaKind] = [.image, .gifv, .video, .audio, .unknown]
        return kinds.compactMap { kind in
            let count = media.count(where: { $0.kind == kind })
            return count == 0 ? nil : text.files(count, kind)
        }.joined(separator: text.listSeparator)
    }
}

/// The focus of a picture as the percentages of CSS `object-position`, in steps of 5. The policy of the pages permits
/// no inline styles, so each step is a class in `style.css`.
struct FocusPosition: Equatable {
    static let step = 5

    let x: Int
    let y: Int

    /// - Parameter focus: `nil` for the center. Its y axis points up, that of CSS down.
    init(_ focus: MediaFocus?) {
        x = Self.percentage(focus?.x ?? 0)
        y = Self.percentage(-(focus?.y ?? 0))
    }

    private static func percentage(_ value: Double) -> Int {
        guard value.isFinite else { return 50 }
        let steps = (min(max(value, -1), 1) + 1) / 2 * Double(100 / step)
        return Int(steps.rounded()) * step
    }
}
