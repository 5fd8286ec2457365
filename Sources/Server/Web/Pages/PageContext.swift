import FeedAPI
import FeedCore

/// The values of a page's template.
struct PageContext {
    let edition: WebReader.Edition
    let base: String
    let site: SiteDescription
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
    /// The name of the template.
    var template = "page"
    private var values = TemplateValues()
    /// The feeds that readers find on the page; `nil` if the server has none.
    private var feeds: [TemplateValues]?

    /// - Parameter hasFeeds: Whether the server has feeds.
    init(
        site: SiteDescription, edition: WebReader.Edition, base: String, emoji: EmojiSet = EmojiSet(),
        hasFeeds: Bool = false
    ) {
        self.emoji = emoji
        self.edition = edition
        self.base = base
        self.site = site
        set(.site, site.title)
        set(.siteText, site.text.nonEmpty)
        set(.pageLanguage, "en")
        set(.feedEmptyText, "Nothing here yet.")
        set(.styleURL, "/assets/style.css?v=" + edition.version)
        set(.scriptURL, "/assets/reader.js?v=" + edition.version)
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

    mutating func set(_ key: TemplateKey, _ text: String?) { values.set(key, text) }

    mutating func set(_ key: TemplateKey, _ isSet: Bool) { values.set(key, isSet) }

    mutating func set(_ key: TemplateKey, _ value: TemplateValues.Value) { values[key] = value }

    /// - Parameters:
    ///   - names: Those to whom the statuses reply.
    ///   - mark: Changes the stored HTML of a status.
    mutating func show(_ statuses: [Status], names: ReplyNames = ReplyNames(), mark: (String) -> String = { $0 }) {
        let shown = statuses.compactMap { status in
            var status = status
            status.content = mark(status.content)
            return values(of: status, names)
        }
        set(.statuses, .list(shown))
        set(.empty, shown.isEmpty)
    }

    /// - Returns: `nil` for a status that a filter leaves out.
    private func values(of status: Status, _ names: ReplyNames) -> TemplateValues? {
        var values = TemplateValues(status, emoji, names, viewer: viewer)
        switch filters.treatment(of: status) {
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
                ? TemplateValues(status, emoji, names, isFocus: true, viewer: viewer) : values(of: status, names)
            return values.map { (status: status, values: $0) }
        }
        var shown = entries.map(\.values)
        let replies = entries.map(\.status).drop { $0.id != thread.focus.id }.dropFirst()
        var level = 0
        for (index, next) in zip(replies.indices, ReplyLevels.of(replies, to: thread.focus.id)) {
            shown[index][.treeStart] = .html(ReplyLevels.opening(next, after: level))
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
        set(.feedEmptyText, "No other posts yet.")
    }

    /// Asks search engines to ignore the page if that is what the account wants.
    mutating func setIndexing(_ account: Account) { set(.noindex, account.privacy.contains(.noindex)) }

    /// Renders a template in UTF-8.
    /// - Parameter template: The name of the template file without `.mustache`; `nil` for that of the page.
    func html(_ template: String? = nil) -> [UInt8] {
        var values = values
        values[.feeds] = feeds.map { .list($0) }
        return edition.templates.render(template ?? self.template, values)
    }
}

extension TemplateValues {
    fileprivate init(feed path: String, title: String) {
        self.init()
        set(.feedURL, path)
        set(.feedTitle, title)
    }
}

extension TemplateValues {
    /// A status.
    /// - Parameters:
    ///   - isFocus: Whether the page is about this status.
    ///   - viewer: The account whose actions are shown; `nil` for visitors.
    fileprivate init(
        _ status: Status, _ emoji: EmojiSet, _ names: ReplyNames, isFocus: Bool = false, viewer: Account?
    ) {
        self.init()
        let zone = PageTimeZone(of: viewer)
        let (username, address) = (status.account.username, "/@" + status.account.username)
        set(.id, String(status.id))
        set(.url, address + "/" + String(status.id))
        self[.name] = emoji.value(status.account.displayNameOrUsername)
        set(.handle, "@" + username)
        set(.accountURL, address)
        set(.avatar, status.account.avatarPath)
        set(.badge, status.account.role == .admin ? "admin" : nil)
        set(.datetime, ISO8601.text(milliseconds: status.createdAt))
        set(.dateText, PageDate.full(status.createdAt, in: zone))
        set(.edited, status.editedAt.map { ISO8601.text(milliseconds: $0) })
        set(.editedText, status.editedAt.map { PageDate.full($0, in: zone) })
        self[.content] = .html(emoji.shown(inHTML: status.content))
        set(.focus, isFocus)
        self[.spoiler] = status.spoilerText.nonEmpty.map(emoji.value)
        set(.language, FeedText.language(status.language))
        if !status.tags.isEmpty { self[.categories] = .texts(FeedEntry.tags(of: status)) }
        self[.media] = TemplateValues(mediaOf: status).map { .object($0) }
        self[.poll] = TemplateValues(pollOf: status, emoji, viewer: viewer).map { .object($0) }
        set(.source, ClientApplication.shownName(status.source).nonEmpty)
        set(.visibility, Self.label(status.visibility))
        self[.boost] = status.boost.map { .object(TemplateValues($0, emoji)) }
        setReply(status, names)
        set(.replies, Self.count(status.repliesCount))
        set(.repliesText, status.repliesCount == 1 ? "1 reply" : "\(status.repliesCount) replies")
        set(.boosts, Self.count(status.reblogsCount))
        set(.favourites, Self.count(status.favouritesCount))
        if let viewer { setActions(on: status, for: viewer) }
    }

    private init(_ boost: Status.Boost, _ emoji: EmojiSet) {
        self.init()
        self[.boostedBy] = emoji.value(boost.account.displayNameOrUsername)
        set(.boostedByURL, "/@" + boost.account.username)
        set(.boostedAt, ISO8601.text(milliseconds: boost.createdAt))
    }

    private mutating func setReply(_ status: Status, _ names: ReplyNames) {
        guard let parent = status.inReplyToID else { return }
        let name = names.name(for: status)
        set(.replyURL, name.map { "/@\($0)/\(parent)" } ?? "/statuses/\(parent)")
        set(.replyName, name.map { "@" + $0 } ?? "a post")
    }

    private static func label(_ visibility: Visibility) -> String? {
        switch visibility {
        case .followers: "Followers only"
        case .direct: "Direct"
        default: nil
        }
    }

    private static func count(_ value: Int) -> String? { value > 0 ? String(value) : nil }
}

extension String {
    /// `nil` for an empty string, which a template would show.
    var nonEmpty: String? { isEmpty ? nil : self }
}

/// The poll of a status on a page.
extension TemplateValues {
    /// - Returns: `nil` if the status has no poll.
    init?(pollOf status: Status, _ emoji: EmojiSet, viewer: Account? = nil) {
        guard let poll = status.poll else { return nil }
        self.init()
        self[.pollOptions] = .list(poll.options.indices.map { TemplateValues($0, of: poll, emoji) })
        set(.pollSummary, PollText.summary(of: poll))
        set(.pollHidden, !poll.showsTotals)
        set(.pollClosed, poll.isExpired)
        set(.pollEnd, ISO8601.text(milliseconds: poll.expiresAt))
        set(.pollEndText, PageDate.full(poll.expiresAt, in: PageTimeZone(of: viewer)))
        if let viewer { setVoting(in: poll, of: status, for: viewer) }
    }

    /// An option. The values that are not set must not have the name of a value of the status.
    private init(_ number: Int, of poll: Poll, _ emoji: EmojiSet) {
        self.init()
        let option = poll.options[number]
        set(.pollNumber, String(number))
        set(.chosen, poll.ownVotes.contains(number))
        self[.pollTitle] = emoji.value(option.title)
        guard poll.showsTotals else { return }
        set(.pollShare, String(PollText.percentage(option.votesCount, of: poll.votersCount)))
        set(.pollVotes, PollText.votes(option.votesCount))
    }
}

/// Texts about polls.
enum PollText {
    /// The number of votes; with multiple choice, also of the people who have voted.
    static func summary(of poll: Poll) -> String {
        guard poll.isMultiple else { return votes(poll.votesCount) }
        let people = poll.votersCount == 1 ? "1 person" : "\(poll.votersCount) people"
        return votes(poll.votesCount) + " by " + people + ", several choices allowed"
    }

    static func votes(_ count: Int) -> String { count == 1 ? "1 vote" : "\(count) votes" }

    /// The part of the voters who chose an option, from 0 to 100.
    static func percentage(_ votes: Int, of voters: Int) -> Int {
        guard votes > 0, voters > 0 else { return 0 }
        return min(100, Int((Double(votes) / Double(voters) * 100).rounded()))
    }
}

/// Custom emoji as images on a page.
extension EmojiSet {
    /// A plain text as a value of a template, with images for its emoji.
    func value(_ text: String) -> TemplateValues.Value {
        guard !used(in: [text]).isEmpty else { return .text(text) }
        return .html(shown(in: text[...]) { $0.escapedHTML })
    }

    /// Stored HTML with images for the emoji in its text. Nothing inside of a tag is changed. Tags are found as bytes,
    /// because U+0600 before a bracket would hide it from a search for characters.
    func shown(inHTML html: String) -> String {
        guard !used(in: [html]).isEmpty else { return html }
        var result = ""
        var rest = Substring(html).utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">")).map { rest.index(after: $0) } ?? rest.endIndex
            result += shown(in: Substring(rest[..<start])) { $0 }
            result += Substring(rest[start..<end])
            rest = rest[end...]
        }
        return result + shown(in: Substring(rest)) { $0 }
    }

    private func shown(in text: Substring, _ plain: (String) -> String) -> String {
        EmojiText.parts(of: String(text)).map { part in
            switch part {
            case .plain(let text): return plain(String(text))
            case .shortcode(let code):
                guard let emoji = self[String(code)] else { return ":" + code + ":" }
                return image(emoji)
            }
        }.joined()
    }

    /// A shortcode consists of letters, digits and underscores, so nothing has to be escaped. The height is set by the
    /// style sheet. `"~/` marks a URL on this server.
    private func image(_ emoji: CustomEmoji) -> String {
        let text = ":" + emoji.shortcode + ":"
        return """
            <img class="emoji" src="~\(emoji.path)" alt="\(text)" title="\(text)" width="20" height="20" \
            loading="lazy" decoding="async">
            """
    }
}
