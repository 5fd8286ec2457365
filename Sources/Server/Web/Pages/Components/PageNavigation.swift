import FeedCore

/// The links at the top of every page.
struct PageNavigation: Sendable {
    struct Link: Sendable, Equatable {
        let path: String
        let label: String
    }

    /// The links that are always shown.
    let links: [Link]
    /// The other links of members, behind a button.
    let more: [Link]

    /// - Parameters:
    ///   - account: The account that is logged in; `nil` for visitors.
    ///   - signsUp: Whether visitors may sign up.
    ///   - text: The language of the page.
    init(for account: Account?, signsUp: Bool, in text: any PageText) {
        let words = text.words
        guard let account else {
            let join = signsUp ? [Link(path: "/join", label: words.signUp)] : []
            links =
                [Link(path: "/", label: text.publicTimeline), Link(path: "/login", label: words.logIn)] + join
            more = []
            return
        }
        links = [
            Link(path: "/home", label: text.home), Link(path: "/notifications", label: words.notifications),
            Link(path: "/compose", label: text.newPost),
        ]
        more =
            [
                Link(path: "/conversations", label: text.conversations),
                Link(path: "/bookmarks", label: text.bookmarks),
                Link(path: "/favourites", label: text.favourites), Link(path: "/lists", label: text.lists),
                Link(path: "/followed_tags", label: text.followedHashtags),
                Link(path: "/follow_requests", label: text.followRequests),
                Link(path: "/search", label: words.search), Link(path: "/", label: text.publicTimeline),
                Link(path: "/@" + account.username, label: text.profile),
                Link(path: "/settings", label: text.settings),
            ] + (account.role == .admin ? [Link(path: "/admin", label: words.administration)] : [])
    }
}

extension PageContext {
    /// Shows the navigation.
    /// - Parameters:
    ///   - account: The account that is logged in; `nil` for visitors.
    ///   - path: The path of the page, whose link is marked.
    mutating func setNavigation(for account: Account?, signsUp: Bool, at path: String) {
        let navigation = PageNavigation(for: account, signsUp: signsUp, in: text)
        var values = TemplateValues(links: navigation.links, at: path)
        if !navigation.more.isEmpty { values[.moreLinks] = .object(TemplateValues(links: navigation.more, at: path)) }
        set(.navigation, .object(values))
        set(.theme, account?.theme?.rawValue)
        set(.readerZone, account?.timeZone)
        set(.member, account.map { "/@" + $0.username })
        set(.signUp, account == nil && signsUp)
    }

    /// Shows a text in place of a list.
    mutating func setEmpty(_ text: String) {
        set(.feedEmptyText, text)
        set(.empty, true)
    }

    /// Links the neighbors of a page.
    /// - Parameter filters: The parts of the query that select the entries.
    mutating func setPages(
        _ page: Pagination, _ request: Request, newest: Int64?, oldest: Int64?, hasOlder: Bool,
        filters: [(name: String, value: String)] = []
    ) {
        let query = filters.map { "\($0.name)=\($0.value.percentEncodedSegment)" }
        func link(_ bound: String?) -> String {
            let parts = query + [bound].compactMap(\.self)
            return request.uri.path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
        }
        if let oldest, hasOlder { set(.older, link("max_id=\(oldest)")) }
        guard page.maxID != nil || page.minID != nil else { return }
        set(.newer, link(newest.map { "min_id=\($0)" }))
    }
}

extension PageAssets {
    /// A page with the navigation, but without its content.
    func page(
        for request: Request, _ context: RequestContext, base: String = "", emoji: EmojiSet = EmojiSet()
    ) throws -> PageContext {
        var page = try page(language: language(for: request, context), base: base, emoji: emoji)
        page.setNavigation(for: context.reader, signsUp: signsUp, at: request.uri.path)
        if let account = context.reader { page.setViewer(account, at: LocalPath(request.uri.string)) }
        return page
    }
}

extension TemplateValues {
    fileprivate init(links: [PageNavigation.Link], at path: String) {
        self.init()
        self[.links] = .list(links.map { TemplateValues($0, isCurrent: $0.path == path) })
    }

    private init(_ link: PageNavigation.Link, isCurrent: Bool) {
        self.init()
        set(.url, link.path)
        set(.label, link.label)
        set(.current, isCurrent)
    }
}
