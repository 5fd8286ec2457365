import FeedCore

/// A file of the form, which has been uploaded already.
struct ComposeAttachment: Sendable {
    let media: MediaAttachment
    var description: String
    /// As in the Mastodon API.
    var focus: String
    /// The hash of the upload, if it came with this request.
    var upload: String?

    var id: Int64 { media.id }

    init(_ media: MediaAttachment) {
        self.media = media
        description = media.description ?? ""
        focus = media.focus.map { ComposeFocus.text($0) } ?? ""
    }

    /// A file with what was typed about it.
    init(_ media: MediaAttachment, _ attributes: [String: String]?) {
        self.init(media)
        description = attributes?["description"]?.replacing("\r\n", with: "\n") ?? description
        if let sent = attributes?["focus"], (try? MediaFocus(parsing: sent)) != nil { focus = sent }
    }

    /// The text that tells the file from another in the ``ComposeForm/idempotencyKey``.
    var parts: [String] { [upload ?? String(id), description, focus] }

    /// The changes of the file that are stored with the status.
    func draft() throws(FeedError) -> MediaChanges {
        var draft = MediaChanges()
        draft.description = description
        if !focus.isEmpty { draft.focus = try MediaFocus(parsing: focus) }
        return draft
    }
}

/// The part of a picture that stays visible when it is cropped, as a choice without script.
enum ComposeFocus: String, CaseIterable {
    case middle = "0,0"
    case top = "0,1"
    case bottom = "0,-1"
    case left = "-1,0"
    case right = "1,0"
    case topLeft = "-1,1"
    case topRight = "1,1"
    case bottomLeft = "-1,-1"
    case bottomRight = "1,-1"

    /// The focus as one of the choices, or as the value that an app has set.
    static func text(_ focus: MediaFocus) -> String { "\(coordinate(focus.x)),\(coordinate(focus.y))" }

    private static func coordinate(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
