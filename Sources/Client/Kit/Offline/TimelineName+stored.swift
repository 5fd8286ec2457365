extension TimelineName {
    /// The name under which the timeline is stored.
    var storedName: String {
        switch self {
        case .home: "home"
        case .public: "public"
        case .local: "local"
        case .tag(let name): "#" + name.lowercased()
        case .favourites: "favourites"
        case .bookmarks: "bookmarks"
        case .account(let name): "@" + name.lowercased()
        case .list(let name): "list:" + name
        }
    }

    /// Whether servers keep only the newest statuses of the timeline; Mastodon keeps some hundreds.
    var isTruncatedByServer: Bool {
        switch self {
        case .home, .list: true
        default: false
        }
    }
}
