import FeedCore
import FeedStore

/// The page of a profile, with a tab for each ``ProfileTab``.
struct ProfilePageController: Sendable {
    /// The maximum number of pinned statuses on a profile.
    private static let maximumPinned = 20

    let pages: PageController
    let relationships: RelationshipStore

    func addEndpoints(to endpoints: Endpoints) {
        for tab in ProfileTab.allCases {
            endpoints.page("/@{name}" + tab.rawValue, .open, pages.timeline { try await profile(tab, &$0, $1, $2) })
        }
    }

    private func profile(
        _ tab: ProfileTab, _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> Timeline {
        let account = try await pages.accounts.requireShown(try context.segment("name"))
        let path = "/@" + account.username
        page.setFeed(path + "/feed", title: "\(account.displayNameOrUsername) (@\(account.username))")
        page.describe(account)
        page.setCanonical(path + tab.rawValue)
        page.show(account, tab: tab, to: context.reader, relationship: try await relationship(to: account, context))
        if tab == .posts, request.uri.query == nil {
            page.filters = try await pages.filters.of(context.viewer, in: .account)
            let pinned = try await pinned(by: account, for: context.reader)
            page.showPinned(pinned, names: try await ReplyNames(of: pinned, in: pages.accounts))
        }
        return .account(account.id, tab.filter)
    }

    private func pinned(by account: Account, for viewer: Account?) async throws -> [Status] {
        var filter = AccountFilter()
        filter.onlyPinned = true
        return try await pages.timelines.timeline(
            .account(account.id, filter), page: Pagination(limit: Self.maximumPinned), for: viewer?.id
        ).entries
    }

    /// The viewer's relationship to somebody else; `nil` for visitors, and for tokens that may not read it.
    private func relationship(to account: Account, _ context: RequestContext) async throws -> Relationship? {
        guard context.readsRelationships, let viewer = context.reader, viewer.id != account.id else { return nil }
        return try await relationships.relationships(of: viewer.id, to: [account.id]).first
    }
}

/// The posts that a profile shows.
enum ProfileTab: String, CaseIterable, Sendable {
    case posts = ""
    case replies = "/with_replies"
    case media = "/media"

    func label(in text: any PageText) -> String {
        switch self {
        case .posts: text.words.posts
        case .replies: text.postsAndReplies
        case .media: text.words.media
        }
    }

    var filter: AccountFilter {
        var filter = AccountFilter()
        filter.excludesReplies = self == .posts
        filter.onlyMedia = self == .media
        return filter
    }
}

extension RequestContext {
    /// Whether pages show the viewer's relationships.
    var readsRelationships: Bool { viewer?.scopes.allows(.readFollows) ?? false }
}

extension AccountStore {
    /// The account with a name, for a page.
    /// - Throws: ``FeedError`` `.notFound` if the account does not exist or is suspended.
    func requireShown(_ name: String) async throws -> Account {
        guard let account = try await account(named: name), account.suspendedAt == nil else {
            throw FeedError(.notFound, "No such user", hint: nil)
        }
        return account
    }
}

extension PageContext {
    private static let descriptionLength = 200

    /// Sets what the head of a page says about an account: its name, its note and its avatar.
    /// - Parameter title: The title of the page for the name of the account, if it shows something else than the profile.
    mutating func describe(_ account: Account, title: (any PageText, String) -> String = { $1 }) {
        let name = "\(account.displayNameOrUsername) (@\(account.username))"
        setTitle("\(title(text, name)) – \(site.title)", heading: title(text, account.displayNameOrUsername))
        let note = String(String.UnicodeScalarView(account.note.unicodeScalars.prefix(Self.descriptionLength)))
        set(.description, note.nonEmpty ?? name)
        set(.image, base + account.avatarPath)
        set(.imageText, text.avatar(of: account.username))
        setIndexing(account)
    }

    /// - Parameter relationship: The viewer's relationship to the account, if it is somebody else's.
    fileprivate mutating func show(
        _ account: Account, tab: ProfileTab, to viewer: Account?, relationship: Relationship?
    ) {
        var profile = TemplateValues(account, emoji, text)
        profile.set(.showsPeople, account.showsCollections(to: viewer?.id))
        profile[.tabs] = .list(ProfileTab.allCases.map { TemplateValues($0, of: account, isCurrent: $0 == tab, text) })
        profile[.relation] = relationship.map { .object(TemplateValues($0, to: account, in: locale)) }
        set(.profile, .object(profile))
        add(account)
    }
}

extension TemplateValues {
    /// The profile of an account.
    fileprivate init(_ account: Account, _ emoji: EmojiSet, _ text: any PageText) {
        self.init()
        self[.name] = emoji.value(account.displayNameOrUsername)
        set(.handle, "@" + account.username)
        set(.url, "/@" + account.username)
        set(.avatar, account.avatarPath)
        set(.headerURL, account.headerPath)
        self[.badges] = .texts(Self.badges(of: account, text))
        self[.note] = .html(emoji.shown(inHTML: account.noteHTML))
        set(.hasProfileFields, !account.fields.isEmpty)
        self[.profileFields] = .list(account.fields.map { TemplateValues($0, emoji) })
        set(.statuses, String(account.statusesCount))
        set(.followers, String(account.followersCount))
        set(.following, String(account.followingCount))
        set(.joined, PageDate.month(account.createdAt, text))
        set(.city, account.city.nonEmpty)
    }

    private static func badges(of account: Account, _ text: any PageText) -> [String] {
        [account.role == .admin ? text.administratorBadge : nil, account.isBot ? text.botBadge : nil].compactMap(\.self)
    }

    private init(_ field: Account.Field, _ emoji: EmojiSet) {
        self.init()
        self[.fieldName] = emoji.value(field.name)
        self[.fieldValue] = .html(emoji.shown(inHTML: ProfileLinks.marked(field.html)))
    }

    fileprivate init(_ tab: ProfileTab, of account: Account, isCurrent: Bool, _ text: any PageText) {
        self.init()
        set(.tabURL, "/@" + account.username + tab.rawValue)
        set(.tabLabel, tab.label(in: text))
        set(.tabIsCurrent, isCurrent)
    }
}

extension Account {
    /// The path and query of the header picture.
    var headerPath: String { "/headers/" + username + (headerVersions?.query ?? "") }
}

/// Links in profile fields claim that their target is about the same person (`rel="me"`), which other sites can verify.
enum ProfileLinks {
    private static let rel = Array(#" rel="nofollow"#.utf8)
    private static let marked = Array(#" rel="me nofollow"#.utf8)

    /// Adds the relation to the links of stored HTML. Texts and attributes of others have no quotation marks there, so
    /// that only the attribute is found; as bytes, because U+0600 before it would hide it from a search for characters.
    static func marked(_ html: String) -> String {
        var result: [UInt8] = []
        var rest = Array(html.utf8)[...]
        while let found = rest.firstRange(of: rel) {
            result += rest[..<found.lowerBound] + marked
            rest = rest[found.upperBound...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}
