public import FeedAPI

/// The effect of the viewer's filters on a status. The server has matched the filters.
public enum FilterEffect: Sendable, Equatable, Comparable {
    case none
    /// Only its media are hidden.
    case blur
    /// It is folded under the title of the filter.
    case warn(title: String)
    case hide

    /// The strongest effect of the filters that a status, or the status that it boosts, matches.
    /// - Parameter viewer: The username of the viewer, whose own statuses are not filtered; `nil` for a visitor.
    public init(on status: Entity.Status, in context: FilterContext, for viewer: String? = nil) {
        let author = (status.reblog?.value ?? status).account.acct
        guard author.lowercased() != viewer?.lowercased() else {
            self = .none
            return
        }
        let results = (status.filtered ?? []) + (status.reblog?.value.filtered ?? [])
        self = results.map { Self($0.filter, in: context) }.max() ?? .none
    }

    private init(_ filter: Entity.FilterResult.Filter, in context: FilterContext) {
        let applies = context == .other || filter.context.isEmpty || filter.context.contains(context.rawValue)
        switch filter.filter_action {
        case _ where !applies: self = .none
        case "blur": self = .blur
        case "hide" where context != .other: self = .hide
        default: self = .warn(title: filter.title)
        }
    }
}

/// A place in which statuses are shown. It decides which filters apply.
public enum FilterContext: String, Sendable {
    /// Home and lists.
    case home
    case notifications, `public`, thread
    /// The statuses of an account.
    case account
    /// Statuses that the viewer asked for, such as favourites and search results: filters fold them, but never hide
    /// them.
    case other
}

extension TimelineName {
    /// The filter context of its statuses.
    public var filterContext: FilterContext {
        switch self {
        case .home, .list: .home
        case .public, .local, .tag: .public
        case .account: .account
        case .favourites, .bookmarks: .other
        }
    }
}
