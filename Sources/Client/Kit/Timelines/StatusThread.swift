/// The conversation around a status: what it replies to, the status, and the replies to it.
public struct StatusThread: Sendable {
    /// A status of the conversation.
    public struct Item: Sendable {
        public let entry: TimelineEntry
        /// How many replies lie between the status of the thread and this one; 0 for its ancestors and itself.
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
