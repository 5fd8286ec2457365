import FeedCore

/// The media of a status on a page.
extension TemplateValues {
    /// - Returns: `nil` if the status has no media.
    init?(mediaOf status: Status) {
        guard !status.media.isEmpty else { return nil }
        self.init()
        // A content warning already hides everything.
        set(.sensitive, status.sensitive && status.spoilerText.isEmpty)
        set(.mediaSummary, MediaText.summary(of: status.media))
        let pictures = zip(status.media, 1...).filter(\.0.isPicture).map { (media: $0, number: $1) }
        if !pictures.isEmpty { self[.gallery] = .object(TemplateValues(gallery: pictures)) }
        self[.recordings] = .list(status.media.filter { !$0.isPicture }.map { TemplateValues($0) })
    }

    private init(gallery pictures: [(media: MediaAttachment, number: Int)]) {
        self.init()
        set(.galleryCount, String(min(pictures.count, 4)))
        self[.pictures] = .list(pictures.map { TemplateValues($0.media, number: $0.number) })
    }

    /// A file. The values that are not set must not have the name of a value of the status.
    /// - Parameter number: The number of the file in its status, under which it has a page.
    fileprivate init(_ media: MediaAttachment, number: Int? = nil) {
        self.init()
        set(.mediaNumber, number.map { String($0) })
        set(.picture, media.kind == .image)
        set(.video, media.kind == .video || media.kind == .gifv)
        set(.audio, media.kind == .audio)
        set(.mediaURL, media.path)
        // Without a thumbnail, an image is shown itself; a video shows its first frame.
        set(.mediaPreview, media.previewPath ?? (media.kind == .image ? media.path : nil))
        set(.mediaText, media.description?.nonEmpty ?? MediaText.missing(media.kind))
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

extension PageContext {
    /// Shows a file of a status.
    /// - Parameter number: The number of the file, from 1.
    mutating func showMedia(_ number: Int, of status: Status) {
        let (media, address) = (status.media[number - 1], "/@\(status.account.username)/\(status.id)")
        template = "picture"
        let heading = "\(MediaText.label(media.kind)) \(number) of \(status.media.count)"
        setTitle("\(heading): \(title(of: status))", heading: heading)
        setPreview(of: status)
        setCanonical("\(address)/media/\(number)")
        set(.url, address)
        set(.name, emoji.value(status.account.displayNameOrUsername))
        set(.language, FeedText.language(status.language))
        set(.sensitive, status.sensitive || !status.spoilerText.isEmpty)
        set(.spoiler, status.spoilerText.nonEmpty.map(emoji.value) ?? .text("Sensitive media"))
        set(.caption, media.description?.nonEmpty)
        set(.file, .object(TemplateValues(media)))
        if number > 1 { set(.newer, "\(address)/media/\(number - 1)") }
        if number < status.media.count { set(.older, "\(address)/media/\(number + 1)") }
    }

    /// Sets a title by which the page of a status can be told from others.
    mutating func setTitle(of status: Status) {
        setTitle(title(of: status), heading: status.account.displayNameOrUsername)
    }

    private func title(of status: Status) -> String {
        "\(FeedText.title(status.account.displayNameOrUsername)): \(FeedEntry.title(of: status)) – \(site.title)"
    }

    /// Sets what other sites show when somebody links to the page of a status: nothing that is behind a warning.
    mutating func setPreview(of status: Status) {
        let text = (status.warningLine ?? status.text).prefix(200).unicodeScalars.prefix(800)
        set(.description, text.isEmpty ? MediaText.summary(of: status.media) : String(text))
        guard !status.sensitive, status.spoilerText.isEmpty,
            let image = status.media.first(where: { $0.kind == .image })
        else { return }
        set(.image, base + (image.previewPath ?? image.path))
        set(.imageText, image.description)
    }
}

/// Texts about media.
enum MediaText {
    /// The text for a file without a description.
    static func missing(_ kind: MediaKind) -> String { label(kind) + " without a description" }

    /// The number of files, for example `2 images` or `1 image, 1 video`.
    static func summary(of media: [MediaAttachment]) -> String {
        let kinds: [MediaKind] = [.image, .gifv, .video, .audio, .unknown]
        return kinds.compactMap { kind in
            let count = media.count(where: { $0.kind == kind })
            return count == 0 ? nil : "\(count) \(name(kind))" + (count == 1 ? "" : "s")
        }.joined(separator: ", ")
    }

    static func label(_ kind: MediaKind) -> String { capitalized(name(kind)) }

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
