import FeedCore
import FeedStore

/// The statuses on the page of a status: what it replies to, the status, and the replies to it.
struct PageThread {
    /// The maximum number of statuses above the status; the nearest are shown.
    static let maximumAncestors = 40
    /// The maximum number of replies.
    static let maximumReplies = 80

    let focus: Status
    /// The statuses to show, in their order on the page.
    let statuses: [Status]
    /// The first status on the page, if the conversation starts before it.
    let start: Status?
    /// Whether there are more replies than the page shows.
    let hasMore: Bool
    /// Other statuses of the conversation, which decide what is shown.
    private let others: Set<Int64>

    /// - Parameter context: What the viewer may see of the conversation; `nil` for nothing.
    init(_ status: Status, in context: StatusContext?) {
        focus = status
        let (above, below) = (context?.ancestors ?? [], context?.descendants ?? [])
        let ancestors = Array(above.suffix(Self.maximumAncestors))
        statuses = ancestors + [status] + below.prefix(Self.maximumReplies)
        start = above.count > ancestors.count ? ancestors.first : nil
        hasMore = below.count > Self.maximumReplies
        others = Set((above + below).map(\.id)).union(context?.hidden ?? [])
    }

    /// The dependencies of the page. They include statuses that it does not show, because a reply to any of them, or
    /// its deletion, may change the rest of the page.
    /// - Parameter viewer: The account to which the page is shown; `nil` for visitors.
    func dependencies(for viewer: Int64?) -> ChangeDependencies {
        var dependencies = ChangeDependencies(showing: statuses, to: viewer)
        dependencies.statuses.formUnion(others)
        return dependencies
    }
}

/// The levels of the replies to a status, which a page shows as nested lists. However deep a conversation is, the lists
/// are not: deeper replies follow each other in the innermost one.
enum ReplyLevels {
    static let maximum = 6

    /// - Parameter replies: Each is followed by the replies to it. A reply to a status that is not among them is shown like
    ///   one to `focus`.
    /// - Returns: The levels from 1, in the order of the replies.
    static func of(_ replies: some Sequence<Status>, to focus: Int64) -> [Int] {
        var path = [focus]
        return replies.map { reply in
            let parent = path.lastIndex { $0 == reply.inReplyToID } ?? 0
            path.removeSubrange((parent + 1)...)
            path.append(reply.id)
            return min(parent + 1, maximum)
        }
    }

    /// The tags before a reply.
    /// - Parameters:
    ///   - previous: The level of the reply before it, 0 before the first.
    ///   - label: The name of the outermost list.
    static func opening(_ level: Int, after previous: Int, label: String) -> String {
        if level > previous { return Self.open(label: previous == 0 ? label : nil) }
        return "</li>" + String(repeating: "</ol></li>", count: previous - level) + "<li>"
    }

    /// The tags after the last reply.
    static func closing(_ level: Int) -> String { String(repeating: "</li></ol>", count: level) }

    private static func open(label: String?) -> String {
        "<ol class=\"replies\" role=\"list\"" + (label.map { " aria-label=\"\($0)\"" } ?? "") + "><li>"
    }
}

/// The usernames of those to whom posts reply.
struct ReplyNames: Sendable {
    private var names: [Int64: String] = [:]

    init() {}

    /// Reads the names that the posts themselves do not contain.
    init(of statuses: [Status], in accounts: AccountStore) async throws {
        let unknown = Set(statuses.filter { names[in: $0] == nil }.compactMap(\.inReplyToAccountID))
        guard !unknown.isEmpty else { return }
        for account in try await accounts.accounts(ids: Array(unknown)) { names[account.id] = account.username }
    }

    /// - Returns: `nil` for an account that no longer exists.
    func name(for status: Status) -> String? { names[in: status] }
}

extension [Int64: String] {
    /// The username of the account to which a status replies.
    fileprivate subscript(in status: Status) -> String? {
        guard let id = status.inReplyToAccountID else { return nil }
        if id == status.account.id { return status.account.username }
        return status.mentions.first { $0.id == id }?.username ?? self[id]
    }
}
