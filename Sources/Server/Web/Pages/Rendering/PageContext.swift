import FeedCore

/// The values of a page's template.
struct PageContext {
    let edition: PageAssets.Edition
    let base: String
    /// The texts of the page, in its language.
    let text: any PageText
    let site: SiteSettings
    /// The custom emoji that texts may contain.
    let emoji: EmojiSet
    /// The accounts whose profile the page shows.
    private(set) var accounts: Set<Int64> = []
    /// The statuses that the page shows before the others, and only there.
    private(set) var pinned: [Status] = []
    /// The account whose actions statuses show; `nil` for visitors.
    private var viewer: Account?
    /// The filters of the viewer where the page shows statuses.
    var filters = ViewerFilters.none
    /// The time zone in which the viewer reads times.
    var zone: PageTimeZone { PageTimeZone(of: viewer) }
    var locale: PageLocale { PageLocale(text: text, zone: zone) }
    /// The name of the template.
    var template = "page"
    private var values = TemplateValues()
    /// The feeds that readers find on the page; `nil` if the server has none.
    private var feeds: [TemplateValues]?

    /// - Parameter hasFeeds: Whether the server has feeds.
    init(
        site: SiteSettings, edition: PageAssets.Edition, base: String, language: PageLanguage = .english,
        emoji: EmojiSet = EmojiSet(), hasFeeds: Bool = false
    ) {
        text = language.text
        self.emoji = emoji
        self.edition = edition
        self.base = base
        self.site = site
        set(.site, site.title)
        set(.siteText, site.text.nonEmpty)
        set(.pageLanguage, language.rawValue)
        set(.feedEmptyText, text.nothingYet)
        set(.styleURL, "/assets/style.css?v=" + edition.version)
        // Modules import each other relative to their address, which therefore contains the version.
        set(.scriptURL, "/assets/" + edition.version)
        set(.iconURL, "/assets/icon.svg?v=" + edition.version)
        set(.contactAccount, site.contactAccount)
        set(.contactEmail, site.contactEmail)
        set(.contact, site.contactAccount != nil || site.contactEmail != nil)
        if hasFeeds { feeds = [TemplateValues(feed: "/feed", title: site.title)] }
    }

    /// Lets feed readers find a feed, before that of the site.
    /// - Parameters:
    ///   - path: The path of the feed without an extension.
    ///   - isShown: Whether people see the addresses, too.
    mutating func setFeed(_ path: String, title: String, isShown: Bool = true) {
        guard feeds != nil else { return }
        if path != "/feed" { feeds?.insert(TemplateValues(feed: path, title: title), at: 0) }
        if isShown { set(.feedLink, path) }
    }

    /// Sets the title of the window and the heading of the page, which also describes it to search engines.
    mutating func setTitle(_ title: String, heading: String) {
        set(.title, title)
        set(.heading, heading)
        set(.description, heading)
    }

    /// Sets the one address under which search engines list the page.
    /// - Parameter path: `nil` for a page that has none.
    mutating func setCanonical(_ path: String?) { set(.canonical, path.map { base + $0 }) }

    /// Shows what an account has done, and can do, with the statuses that are added.
    /// - Parameters:
    ///   - account: `nil` for visitors.
    ///   - page: The page to which the forms lead back.
    mutating func setViewer(_ account: Account?, at page: LocalPath?) {
        viewer = account
        set(.next, page?.text)
        set(.nextQuery, page.map { "?next=" + $0.text.percentEncodedSegment })
    }

    mutating func set(_ key: TemplateName, _ text: String?) { values.set(key, text) }

    mutating func set(_ key: TemplateName, _ isSet: Bool) { values.set(key, isSet) }

    mutating func set(_ key: TemplateName, _ value: TemplateValues.Value) { values[key] = value }

    /// - Parameters:
    ///   - names: Those to whom the statuses reply.
    ///   - mark: Changes the stored HTML of a status.
    ///   - adding: Adds values to those of a status.
    mutating func show(
        _ statuses: [Status], names: ReplyNames = ReplyNames(), mark: (String) -> String = { $0 },
        adding: (inout TemplateValues, Status) -> Void = { _, _ in }
    ) {
        let shown = statuses.compactMap { status -> TemplateValues? in
            var status = status
            status.content = mark(status.content)
            guard var values = values(of: status, names) else { return nil }
            adding(&values, status)
            return values
        }
        set(.statuses, .list(shown))
        set(.empty, shown.isEmpty)
    }

    /// - Returns: `nil` for a status that a filter leaves out.
    private func values(of status: Status, _ names: ReplyNames) -> TemplateValues? {
        var values = TemplateValues(status, emoji, names, viewer: viewer, in: locale)
        switch PageFilter(status, filters) {
        case .show: break
        case .fold(let title): values.set(.filtered, title)
        case .leaveOut: return nil
        }
        return values
    }

    /// Shows a status with the conversation around it. The replies are nested lists.
    mutating func show(_ thread: PageThread, names: ReplyNames = ReplyNames()) {
        // Whoever opens the page of a status wants to see it, whatever the filters say.
        let entries = thread.statuses.compactMap { status in
            let values =
                status.id == thread.focus.id
                ? TemplateValues(status, emoji, names, isFocus: true, viewer: viewer, in: locale)
                : values(of: status, names)
            return values.map { (status: status, values: $0) }
        }
        var shown = entries.map(\.values)
        let replies = entries.map(\.status).drop { $0.id != thread.focus.id }.dropFirst()
        var level = 0
        for (index, next) in zip(replies.indices, ReplyLevels.of(replies, to: thread.focus.id)) {
            shown[index][.treeStart] = .html(ReplyLevels.opening(next, after: level, label: text.repliesLabel))
            level = next
        }
        if level > 0 { shown[shown.count - 1][.treeEnd] = .html(ReplyLevels.closing(level)) }
        set(.statuses, .list(shown))
        set(.threadStart, thread.start.map { "/@\($0.account.username)/\($0.id)" })
        set(.threadEnd, thread.hasMore)
    }

    /// Notes that the page shows the profile of an account.
    mutating func add(_ account: Account) { accounts.insert(account.id) }

    /// Shows pinned statuses before the others.
    /// - Parameter names: Those to whom the statuses reply.
    mutating func showPinned(_ statuses: [Status], names: ReplyNames) {
        guard !statuses.isEmpty else { return }
        pinned = statuses
        var values = TemplateValues()
        values[.statuses] = .list(statuses.compactMap { self.values(of: $0, names) })
        set(.pinnedPosts, .object(values))
        set(.feedEmptyText, text.noOtherPosts)
    }

    /// Asks search engines to ignore the page if that is what the account wants.
    mutating func setIndexing(_ account: Account) { set(.noindex, account.privacy.contains(.noindex)) }

    /// Renders a template in UTF-8.
    /// - Parameter template: The name of the template file without `.mustache`; `nil` for that of the page.
    func html(_ template: String? = nil) -> [UInt8] {
        var values = values
        values[.feeds] = feeds.map { .list($0) }
        return edition.templates[text.language]?.render(template ?? self.template, values) ?? []
    }
}

extension TemplateValues {
    fileprivate init(feed path: String, title: String) {
        self.init()
        set(.feedURL, path)
        set(.feedTitle, title)
    }
}

extension String {
    /// `nil` for an empty string, which a template would show.
    var nonEmpty: String? { isEmpty ? nil : self }
}
