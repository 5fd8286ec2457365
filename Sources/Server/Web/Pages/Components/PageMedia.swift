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
    fileprivate init(_ media: MediaAttachment, number: Int? = nil, _ text: any PageText) {
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

extension PageContext {
    /// Shows a file of a status.
    /// - Parameter number: The number of the file, from 1.
    mutating func showMedia(_ number: Int, of status: Status) {
        let (media, address) = (status.media[number - 1], "/@\(status.account.username)/\(status.id)")
        template = "picture"
        let heading = text.heading(media.kind, number, of: status.media.count)
        setTitle("\(heading): \(title(of: status))", heading: heading)
        setPreview(of: status)
        setCanonical("\(address)/media/\(number)")
        set(.url, address)
        set(.name, emoji.value(status.account.displayNameOrUsername))
        set(.language, FeedText.language(status.language))
        set(.sensitive, status.sensitive || !status.spoilerText.isEmpty)
        if !status.spoilerText.isEmpty { set(.spoiler, emoji.value(status.spoilerText)) }
        set(.caption, media.description?.nonEmpty)
        set(.file, .object(TemplateValues(media, text)))
        if number > 1 { set(.newer, "\(address)/media/\(number - 1)") }
        if number < status.media.count { set(.older, "\(address)/media/\(number + 1)") }
    }

    /// Sets a title by which the page of a status can be told from others.
    mutating func setTitle(of status: Status) {
        setTitle(title(of: status), heading: status.account.displayNameOrUsername)
    }

    private func title(of status: Status) -> String {
        let summary = MediaText.summary(of: status.media, text)
        let title =
            FeedText.title(start(of: status)).nonEmpty ?? summary.nonEmpty ?? text.post(by: status.account.username)
        return "\(FeedText.title(status.account.displayNameOrUsername)): \(title) – \(site.title)"
    }

    /// The warning of a status, or its text.
    private func start(of status: Status) -> String {
        status.spoilerText.isEmpty ? status.text : "\(text.words.contentWarning): \(status.spoilerText)"
    }

    /// Sets what other sites show when somebody links to the page of a status: nothing that is behind a warning.
    mutating func setPreview(of status: Status) {
        let start = start(of: status).prefix(200).unicodeScalars.prefix(800)
        set(.description, start.isEmpty ? MediaText.summary(of: status.media, text) : String(start))
        guard !status.sensitive, status.spoilerText.isEmpty,
            let image = status.media.first(where: { $0.kind == .image })
        else { return }
        set(.image, base + (image.previewPath ?? image.path))
        set(.imageText, image.description)
    }
}

/// Texts about media.
enum MediaText {
    /// The number of files, for example `2 images` or `1 image, 1 video`.
    static func summary(of media: [MediaAttachment], _ text: any PageText = English()) -> String {
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
