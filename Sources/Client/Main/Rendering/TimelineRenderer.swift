import FeedClientKit
import FeedTerminal

/// Renders the statuses of a timeline, and what is missing between them, as lines of text.
struct TimelineRenderer {
    var renderer: StatusRenderer
    let timeline: TimelineName

    /// The statuses, each once, with a line for each gap.
    /// - Parameter shown: The ids of statuses that are left out; those of the others are added.
    func lines(_ entries: [StoredTimeline.Entry], except shown: inout Set<String>) -> [String] {
        let statuses = entries.map(\.entry.status)
        let items = BoostedStatus.merged(statuses)
        var (lines, start) = ([String](), 0)
        for (index, entry) in entries.enumerated() where entry.hasGap {
            let end = BoostedStatus.merged(Array(statuses[...index])).count
            lines += self.lines(items[start..<end], except: &shown) + gap(below: entry.entry.status.id)
            start = end
        }
        return lines + self.lines(items[start...], except: &shown)
    }

    private func lines(_ items: ArraySlice<BoostedStatus>, except shown: inout Set<String>) -> [String] {
        items.filter { shown.insert($0.status.id).inserted }.flatMap { renderer.lines($0) }
    }

    /// The line that separates what was stored from what is new.
    /// - Parameters:
    ///   - time: When the newest stored statuses were fetched, in milliseconds since 1970.
    ///   - now: Milliseconds since 1970.
    func heading(since time: Int64, now: Int64) -> [String] {
        [renderer.style.bold("new since " + LocalTime.text(time, now: now)), ""]
    }

    /// Tells how to load the statuses below a gap. The command and the id stay on one line.
    func gap(below id: String) -> [String] {
        let style = renderer.style
        let (text, command) = ("… older statuses were not loaded; run", timeline.command(before: id))
        let line = style.line(text + " " + command)
        let isNarrow = DisplayWidth.columns(of: line) > renderer.columns
        return (isNarrow ? [style.line(text), style.line(command)] : [line]).map(style.dim) + [""]
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
