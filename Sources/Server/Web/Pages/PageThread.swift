import FeedCore

/// The statuses on the page of a status: what it replies to, the status, and the replies to it. Pure.
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

    /// - Parameter context: What anonymous visitors may see of the conversation; `nil` for nothing.
    init(_ status: Status, in context: StatusContext?) {
        focus = status
        let (above, below) = (context?.ancestors ?? [], context?.descendants ?? [])
        let ancestors = Array(above.suffix(Self.maximumAncestors))
        statuses = ancestors + [status] + below.prefix(Self.maximumReplies)
        start = above.count > ancestors.count ? ancestors.first : nil
        hasMore = below.count > Self.maximumReplies
        others = Set((above + below).map(\.id)).union(context?.hidden ?? [])
    }

    /// What the page shows; and the statuses that it does not show, because a reply to any of them, or its deletion, may
    /// change what follows.
    var dependencies: ChangeDependencies {
        var dependencies = ChangeDependencies(showing: statuses, to: nil)
        dependencies.statuses.formUnion(others)
        return dependencies
    }
}
