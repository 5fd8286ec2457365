import FeedAPI

/// Sorts the replies of a conversation so that each follows the one that it replies to. Pure, and safe with replies that
/// refer to each other in a circle.
struct ReplyTree {
    private struct Step {
        let entry: TimelineEntry
        let depth: Int
    }

    private let entries: [TimelineEntry]
    private let root: String
    /// The replies to each status, in the order of the server.
    private let children: [String: [TimelineEntry]]
    private let known: Set<String>
    private var visited: Set<String> = []
    private var found: [(entry: TimelineEntry, depth: Int)] = []

    /// - Parameter root: The id of the status that all replies descend from.
    init(_ entries: [TimelineEntry], root: String) {
        self.entries = entries
        self.root = root
        children = Dictionary(grouping: entries) { $0.status.in_reply_to_id ?? "" }
        known = Set(entries.map(\.status.id))
    }

    /// The replies in depth-first order, each once. The depth of a reply to the root is 1.
    mutating func replies() -> [(entry: TimelineEntry, depth: Int)] {
        visit(entries.filter { isTop($0.status) })
        // Only circles are left.
        for entry in entries { visit([entry]) }
        return found
    }

    private func isTop(_ status: Entity.Status) -> Bool {
        guard let parent = status.in_reply_to_id else { return true }
        return parent == root || !known.contains(parent)
    }

    private mutating func visit(_ tops: [TimelineEntry]) {
        var steps = tops.reversed().map { Step(entry: $0, depth: 1) }
        while let step = steps.popLast() {
            let id = step.entry.status.id
            guard visited.insert(id).inserted else { continue }
            found.append((step.entry, step.depth))
            steps += (children[id] ?? []).reversed().map { Step(entry: $0, depth: step.depth + 1) }
        }
    }
}
