import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders the statuses of a timeline, and what is missing between them, as lines of text.
struct TimelineRenderer {
    var renderer: StatusRenderer
    let timeline: TimelineName

    /// The statuses, each once, with a line for each gap, and one above the first status that had been read before.
    /// - Parameter printed: What is above; statuses that are there are left out, and the others are added.
    func lines(_ entries: [StoredTimeline.Entry], after printed: inout PrintedTimeline) -> [String] {
        let statuses = entries.map(\.entry.status)
        let items = BoostedStatus.merged(statuses)
        var (lines, start) = ([String](), 0)
        for (index, entry) in entries.enumerated() {
            let (isRead, hasGap) = (printed.hadBeenRead(entry.entry.status.id), entry.hasGap)
            guard isRead || hasGap else { continue }
            if isRead {
                lines += self.lines(items, from: &start, before: statuses[..<index], after: &printed)
                if !printed.ids.isEmpty { lines += readLine }
                printed.readMark = nil
            }
            if hasGap {
                lines += self.lines(items, from: &start, before: statuses[...index], after: &printed)
                lines += gap(below: entry.entry.status.id)
            }
        }
        return lines + self.lines(items[start...], after: &printed)
    }

    /// The lines of the items up to a place in the timeline.
    private func lines(
        _ items: [BoostedStatus], from start: inout Int, before statuses: ArraySlice<Entity.Status>,
        after printed: inout PrintedTimeline
    ) -> [String] {
        let end = BoostedStatus.merged(Array(statuses)).count
        defer { start = end }
        return lines(items[start..<end], after: &printed)
    }

    private func lines(_ items: ArraySlice<BoostedStatus>, after printed: inout PrintedTimeline) -> [String] {
        items.filter { printed.ids.insert($0.status.id).inserted }.flatMap { renderer.lines($0) }
    }

    /// The line between what is new and what has been read.
    private var readLine: [String] { [renderer.style.dim(renderer.style.encoded("── already read ──")), ""] }

    /// Tells how to load the statuses below a gap. The command and the id stay on one line.
    func gap(below id: String) -> [String] {
        let style = renderer.style
        let (text, command) = ("… older statuses were not loaded; run", timeline.command(before: id))
        let line = style.line(text + " " + command)
        let isNarrow = TextWidth.columns(of: line) > renderer.columns
        return (isNarrow ? [style.line(text), style.line(command)] : [line]).map(style.dim) + [""]
    }
}

/// The part of a timeline that has been printed.
struct PrintedTimeline {
    /// The ids of the statuses.
    var ids: Set<String> = []
    /// The newest status that had been read before; `nil` if it is unknown, or has been reached.
    var readMark: StatusKey?

    /// Whether a status is the first one that had been read before.
    func hadBeenRead(_ id: String) -> Bool {
        guard let readMark, let key = StatusKey(id) else { return false }
        return key <= readMark
    }
}

extension TimelineName {
    /// The command that shows the newest statuses.
    var command: String { "feedclient timeline \(argument)" }

    /// The command that shows the statuses older than one of them. The id comes from a server.
    func command(before id: String) -> String {
        guard isSortedByID else { return command + " with a larger -n" }
        return command + " --before \(ShellWord.quoted(id))"
    }

    /// The timeline on the command line.
    private var argument: String {
        switch self {
        case .home: "home"
        case .public: "public"
        case .local: "local"
        case .favourites: "favourites"
        case .bookmarks: "bookmarks"
        case .account(let name): "@" + name
        case .tag(let name): "tag:" + name
        case .list(let title): ShellWord.quoted("list:" + title)
        }
    }
}
