import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders a conversation: what a status replies to, the status with a mark at its side, and the replies, indented.
struct ThreadRenderer {
    /// The columns that each level of replies is indented by.
    private static let step = 2
    /// Deeper replies are not indented further.
    private static let maximumDepth = 8
    /// The columns that remain for a status in any case.
    private static let minimumColumns = 24

    let renderer: StatusRenderer

    func lines(_ thread: StatusThread) -> [String] {
        notice(thread.lacksStart ? "earlier statuses have not been stored" : nil)
            + notice(thread.omittedAncestors, "earlier") + thread.items.flatMap(lines)
            + notice(thread.omittedReplies, "more") + notice(missing(thread.missingReplies))
    }

    private func missing(_ count: Int) -> String? {
        count > 0 ? Plural.text(count, "reply has", "replies have") + " not been stored" : nil
    }

    /// The pictures of all statuses.
    func pictures(_ thread: StatusThread) -> StatusPictures.Request {
        var request = StatusPictures.Request()
        for item in thread.items {
            var inner = renderer
            inner.revealsSensitive = reveals(item)
            inner.context = .thread
            request.add(item.entry.status, shownBy: inner)
        }
        return request
    }

    private func reveals(_ item: StatusThread.Item) -> Bool { renderer.revealsSensitive || item.isFocus }

    private func lines(_ item: StatusThread.Item) -> [String] {
        let depth = min(item.isFocus ? 1 : item.depth, maximumDepth)
        let mark = renderer.style.encoded(item.isFocus ? "▌ " : "│ ")
        let prefix = String(repeating: mark, count: depth)
        var inner = StatusRenderer(
            columns: columns == .max ? .max : columns - depth * Self.step, style: renderer.style, now: renderer.now)
        inner.revealsSensitive = reveals(item)
        inner.context = .thread
        inner.viewer = renderer.viewer
        inner.picture = renderer.picture
        inner.mediaPicture = renderer.mediaPicture
        inner.number = renderer.number
        let style = renderer.style
        return inner.lines(item.entry.status).map { line in
            // The empty line after the status of the thread has no mark, and no line ends with a space.
            if line.isEmpty { return item.isFocus ? "" : style.dim(String(prefix.dropLast())) }
            return (item.isFocus ? style.bold(prefix) : style.dim(prefix)) + line
        }
    }

    /// The width of a status that is not indented. Replies are narrower, so that their times are below each other.
    private var columns: Int { renderer.columns == .max ? .max : min(renderer.columns, StatusRenderer.maximumWidth) }

    private var maximumDepth: Int {
        guard columns != .max else { return Self.maximumDepth }
        return max(1, min(Self.maximumDepth, (columns - Self.minimumColumns) / Self.step))
    }

    private func notice(_ count: Int, _ kind: String) -> [String] {
        notice(count > 0 ? Plural.text(count, kind + " status is", kind + " statuses are") + " not shown" : nil)
    }

    private func notice(_ text: String?) -> [String] { text.map { [renderer.style.dim("(\($0))"), ""] } ?? [] }
}
