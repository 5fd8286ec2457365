import AsyncHTTPClient
import FeedAPI
import NIOCore

/// The conversation around a status: what it replies to, the status, and the replies to it.
public struct StatusThread: Sendable {
    /// A status of the conversation.
    public struct Item: Sendable {
        public let entry: TimelineEntry
        /// The distance from the status that the thread is about, in replies; 0 for that status and its ancestors.
        public let depth: Int
        /// Whether this is the status that the thread is about.
        public let isFocus: Bool
    }

    /// The default of the maximum number of ancestors, and of replies.
    public static let standardMaximum = 1000

    /// From the start of the conversation; each reply follows the status that it replies to, or an earlier reply to it.
    public let items: [Item]
    /// The number of ancestors and of replies that are left out.
    public let omittedAncestors, omittedReplies: Int
    /// Whether the start of the conversation is not stored, if it was read from an ``OfflineStore``.
    public internal(set) var lacksStart = false
    /// The number of replies that the server counts, but that are not stored, if it was read from an ``OfflineStore``.
    public internal(set) var missingReplies = 0

    /// - Parameters:
    ///   - ancestors: From the start of the conversation.
    ///   - descendants: In any order. One whose parent is unknown counts as a reply to the status itself.
    ///   - maximum: The maximum number of ancestors, and of replies. The nearest are kept.
    public init(
        ancestors: [TimelineEntry], status: TimelineEntry, descendants: [TimelineEntry],
        maximum: Int = standardMaximum
    ) {
        let focus = Self.id(status)
        var tree = ReplyTree(descendants.filter { Self.id($0) != focus }, root: focus)
        let replies = tree.replies()
        let nearest = ancestors.filter { Self.id($0) != focus }.suffix(max(0, maximum))
        items =
            nearest.map { Item(entry: $0, depth: 0, isFocus: false) } + [Item(entry: status, depth: 0, isFocus: true)]
            + replies.prefix(max(0, maximum)).map { Item(entry: $0.entry, depth: $0.depth, isFocus: false) }
        omittedAncestors = max(0, ancestors.count - maximum)
        omittedReplies = max(0, replies.count - maximum)
    }

    static func id(_ entry: TimelineEntry) -> String { entry.status.reblog?.value.id ?? entry.status.id }
}

extension FeedClient {
    /// The conversation around a status. For a boost, the conversation around the boosted status.
    /// - Throws: ``FeedClientError``.
    public func thread(of id: String) async throws -> StatusThread {
        let entry = try await status(id)
        let (ancestors, descendants) = try await context(of: StatusThread.id(entry))
        return StatusThread(ancestors: ancestors, status: entry, descendants: descendants)
    }

    /// The statuses that a status replies to, and the replies to it.
    /// - Parameter id: Not of a boost.
    func context(of id: String) async throws -> (ancestors: [TimelineEntry], descendants: [TimelineEntry]) {
        let response = try await transport.send(contextRequest(id))
        return (try entries("ancestors", of: response), try entries("descendants", of: response))
    }

    func contextRequest(_ id: String) -> HTTPClientRequest {
        request(Paths.statuses + "/" + Self.percentEncoded(id) + "/context")
    }

    /// The statuses in a member of a response; none if it is missing.
    private func entries(_ member: String, of response: Response) throws -> [TimelineEntry] {
        guard let json = RawJSON.member(member, of: response.bytes) else { return [] }
        let list = Response(headers: response.headers, body: ByteBuffer(bytes: json))
        return try elements(of: list, as: Entity.Status.self).compactMap { element in
            element.value.map { TimelineEntry(status: $0, json: element.json) }
        }
    }
}

/// Sorts the replies of a conversation so that each follows the one that it replies to. Replies may refer to each other
/// in a circle.
struct ReplyTree {
    private struct Step {
        let entry: TimelineEntry
        let depth: Int
    }

    private let entries: [TimelineEntry]
    private let root: String
    /// The replies to each status, in the order of the server.
    private let children: [String: [TimelineEntry]]
    private let ids: Set<String>
    private var visited: Set<String> = []
    private var sorted: [(entry: TimelineEntry, depth: Int)] = []

    /// - Parameter root: The id of the status that all replies descend from.
    init(_ entries: [TimelineEntry], root: String) {
        self.entries = entries
        self.root = root
        children = Dictionary(grouping: entries) { $0.status.in_reply_to_id ?? "" }
        ids = Set(entries.map(\.status.id))
    }

    /// The replies in depth-first order, each once. The depth of a reply to the root is 1.
    mutating func replies() -> [(entry: TimelineEntry, depth: Int)] {
        visit(entries.filter { isTop($0.status) })
        // Only circles are left.
        for entry in entries { visit([entry]) }
        return sorted
    }

    private func isTop(_ status: Entity.Status) -> Bool {
        guard let parent = status.in_reply_to_id else { return true }
        return parent == root || !ids.contains(parent)
    }

    private mutating func visit(_ tops: [TimelineEntry]) {
        var steps = tops.reversed().map { Step(entry: $0, depth: 1) }
        while let step = steps.popLast() {
            let id = step.entry.status.id
            guard visited.insert(id).inserted else { continue }
            sorted.append((step.entry, step.depth))
            steps += (children[id] ?? []).reversed().map { Step(entry: $0, depth: step.depth + 1) }
        }
    }
}
