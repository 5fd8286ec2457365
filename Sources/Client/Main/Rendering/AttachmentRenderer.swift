import FeedAPI
import FeedTerminal

/// Describes the media of a status in lines of text. All text from the server is filtered by ``SafeText``.
struct AttachmentRenderer {
    /// The width of a line in columns.
    let width: Int
    let style: TextStyle
    var showsAddress = true

    /// The kind, size and description of a file, and its URL.
    func lines(_ media: Entity.MediaAttachment) -> [String] {
        let description = style.line(media.description ?? "")
        let isDescribed = description.contains { !$0.isWhitespace }
        let text = title(media) + (isDescribed ? ": " + description : " (no description)")
        let address = showsAddress ? media.url ?? media.preview_url : nil
        return TextWrap.lines(text, columns: width)
            + (address.map { TextWrap.lines(style.line($0), columns: width).map { style.linked($0) } } ?? [])
    }

    /// The kind and size only, on one line.
    func hiddenLine(_ media: Entity.MediaAttachment) -> String {
        style.encoded(TextWidth.truncated(title(media), to: width))
    }

    /// The file as the reader shows it on the whole screen.
    func file(_ media: Entity.MediaAttachment) -> ReaderMedia {
        ReaderMedia(
            title: title(media), description: media.description ?? "", address: media.url ?? media.preview_url,
            preview: Self.previewURL(media))
    }

    /// The address of a picture of the file, which is small; `nil` if there is none.
    static func previewURL(_ media: Entity.MediaAttachment) -> String? {
        ["image", "gifv", "video"].contains(media.type) ? media.preview_url : nil
    }

    private func title(_ media: Entity.MediaAttachment) -> String {
        let size = media.meta?.original
        var parts = [Self.kind(media.type)]
        if let width = size?.width, let height = size?.height { parts.append("\(width) × \(height)") }
        if let seconds = size?.duration { parts.append(ProgressBar.duration(seconds: seconds)) }
        return style.encoded(parts.joined(separator: ", "))
    }

    private static func kind(_ type: String) -> String {
        switch type {
        case "image": "▣ image"
        case "gifv": "▶ animation"
        case "video": "▶ video"
        case "audio": "♪ audio"
        case "unknown", "": "▤ file"
        default: "▤ " + SafeText.line(type)
        }
    }
}

/// Describes the page that a status links to in lines of text. All text from the server is filtered by ``SafeText``.
struct CardRenderer {
    private static let maximumLines = 2

    /// The width of a line in columns.
    let width: Int
    let style: TextStyle

    /// The title and origin, the beginning of the description, and the URL, unless the text of the status contains it.
    func lines(_ card: Entity.PreviewCard, text: String) -> [String] {
        let title = [card.title, card.author_name, card.provider_name].compactMap { part -> String? in
            part.map(style.line).flatMap { $0.isEmpty ? nil : $0 }
        }
        let address = card.url.map(style.line) ?? ""
        guard !title.isEmpty || !address.isEmpty else { return [] }
        var lines = title.isEmpty ? [] : wrapped(style.encoded("↗ ") + title.joined(separator: style.encoded(" · ")))
        lines += shortened(style.line(card.description ?? "")).map(style.dim)
        if !address.isEmpty, !text.contains(address) { lines += wrapped(address).map { style.linked($0) } }
        return lines
    }

    private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, columns: width) }

    private func shortened(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let all = wrapped(text)
        guard all.count > Self.maximumLines else { return all }
        let last = style.encoded(TextWidth.truncated(all[Self.maximumLines - 1] + " …", to: width))
        return Array(all.prefix(Self.maximumLines - 1)) + [last]
    }
}
