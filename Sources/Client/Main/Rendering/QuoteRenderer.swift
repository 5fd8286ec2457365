import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows a quoted status in lines of text. All text from the server is filtered by ``SafeText``.
struct QuoteRenderer {
    private static let maximumLines = 12

    /// The width of a line in columns.
    let width: Int
    let style: TextStyle
    /// The place in which the quoting status is shown. It decides which filters apply.
    var context = FilterContext.other
    /// The username of the viewer, whose own statuses are not filtered; `nil` for a visitor.
    var viewer: String?

    /// The quoted status, if it may be shown.
    static func shown(_ quote: Entity.Quote) -> Entity.Status? {
        quote.state == "accepted" ? quote.quoted_status?.value : nil
    }

    private var bar: String { style.encoded("│ ") }

    /// The author, the text and the id of the quoted status. A quote within it is not shown, and a content warning hides
    /// its text even if the quoting status is shown in full: it is the warning of another author.
    func lines(_ quote: Entity.Quote) -> [String] {
        guard let status = Self.shown(quote) else {
            return [style.dim(bar + "quoted status not available (\(style.line(quote.state)))")]
        }
        let effect = FilterEffect(on: status, in: context, for: viewer)
        guard effect != .hide else { return [style.dim(bar + "quoted status not available (filtered)")] }
        let targets = status.linkTargets
        let body =
            author(status) + content(status, effect).map { style.linked($0, targets) } + [
                style.dim(style.line(status.id))
            ]
        return body.map { style.dim(bar) + $0 }
    }

    private func content(_ status: Entity.Status, _ effect: FilterEffect) -> [String] {
        guard case .warn(let title) = effect else { return text(status) + media(status) }
        return wrapped("(filtered: \(style.line(title)))").map(style.dim)
    }

    private func wrapped(_ text: String) -> [String] {
        TextWrap.lines(text, columns: width == .max ? .max : max(2, width - TextWidth.columns(of: bar)))
    }

    /// The handle gets a line of its own if it would be wrapped.
    private func author(_ status: Entity.Status) -> [String] {
        let name = style.line(status.account.display_name)
        let handle = "@" + style.line(status.account.acct)
        guard !name.isEmpty else { return [handle] }
        let isShort =
            width == .max || TextWidth.columns(of: name + " " + handle) <= width - TextWidth.columns(of: bar)
        return isShort ? [name + " " + handle] : [wrapped(name).first ?? "", handle]
    }

    private func text(_ status: Entity.Status) -> [String] {
        guard status.spoiler_text.isEmpty else {
            return wrapped(style.encoded("⚠ ") + style.line(status.spoiler_text))
        }
        return shortened(style.block(PlainText.from(html: status.content, leavesOutQuote: true)))
    }

    private func shortened(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let all = wrapped(text)
        return all.count <= Self.maximumLines ? all : Array(all.prefix(Self.maximumLines)) + [style.encoded("…")]
    }

    private func media(_ status: Entity.Status) -> [String] {
        let renderer = AttachmentRenderer(
            width: width == .max ? .max : max(2, width - TextWidth.columns(of: bar)), style: style)
        return (status.media_attachments ?? []).map(renderer.hiddenLine)
    }
}
