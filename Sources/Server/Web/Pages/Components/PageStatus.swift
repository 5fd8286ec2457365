import FeedAPI
import FeedCore
import FeedStore

/// A status on a page.
extension TemplateValues {
    /// A status.
    /// - Parameters:
    ///   - isFocus: Whether the page is about this status.
    ///   - viewer: The account whose actions are shown; `nil` for visitors.
    ///   - locale: That of the page.
    init(
        _ status: Status, _ emoji: EmojiSet, _ names: ReplyNames, isFocus: Bool = false, viewer: Account?,
        in locale: PageLocale
    ) {
        self.init()
        let text = locale.text
        let (username, address) = (status.account.username, "/@" + status.account.username)
        set(.id, String(status.id))
        set(.url, address + "/" + String(status.id))
        self[.name] = emoji.value(status.account.displayNameOrUsername)
        set(.handle, "@" + username)
        set(.accountURL, address)
        set(.avatar, status.account.avatarPath)
        set(.badge, status.account.role == .admin ? text.administratorBadge : nil)
        set(.datetime, ISO8601.text(milliseconds: status.createdAt))
        set(.dateText, locale.date(status.createdAt))
        set(.edited, status.editedAt.map { ISO8601.text(milliseconds: $0) })
        set(.editedText, status.editedAt.map(locale.date))
        self[.content] = .html(emoji.shown(inHTML: status.content))
        set(.focus, isFocus)
        self[.spoiler] = status.spoilerText.nonEmpty.map(emoji.value)
        set(.language, FeedText.language(status.language))
        if !status.tags.isEmpty { self[.categories] = .texts(FeedItem.tags(of: status)) }
        self[.media] = TemplateValues(mediaOf: status, text).map { .object($0) }
        self[.poll] = TemplateValues(pollOf: status, emoji, viewer: viewer, in: locale).map { .object($0) }
        set(.source, ClientApplication.shownName(status.source).nonEmpty)
        set(.visibility, Self.label(status.visibility, text))
        self[.boost] = status.boost.map { .object(TemplateValues($0, emoji)) }
        setReply(status, names, text)
        set(.replies, Self.count(status.repliesCount))
        set(.repliesText, text.replies(status.repliesCount))
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

    private mutating func setReply(_ status: Status, _ names: ReplyNames, _ text: any PageText) {
        guard let parent = status.inReplyToID else { return }
        let name = names.name(for: status)
        set(.replyURL, name.map { "/@\($0)/\(parent)" } ?? "/statuses/\(parent)")
        set(.replyName, name.map { "@" + $0 } ?? text.aPost)
    }

    private static func label(_ visibility: Visibility, _ text: any PageText) -> String? {
        switch visibility {
        case .followers: text.followersOnly
        case .direct: text.direct
        default: nil
        }
    }

    private static func count(_ value: Int) -> String? { value > 0 ? String(value) : nil }
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
        EmojiShortcode.parts(of: String(text)).map { part in
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

/// The actions of a member on a status of a page, possible and done.
extension TemplateValues {
    mutating func setActions(on status: Status, for viewer: Account) {
        let isOwn = status.account.id == viewer.id
        set(.actions, true)
        set(.favourited, status.marks.contains(.favourite))
        set(.bookmarked, status.marks.contains(.bookmark))
        set(.boosted, status.isBoostedByViewer)
        set(.boostable, status.isBoostedByViewer || status.isBoostable(by: viewer.id))
        set(.own, isOwn)
        set(.pinned, status.marks.contains(.pin))
        set(.pinnable, isOwn && status.visibility != .direct)
    }

    /// Shows a poll as a form as long as the viewer may vote, and what they have chosen afterwards.
    mutating func setVoting(in poll: Poll, of status: Status, for viewer: Account) {
        set(.voting, status.account.id != viewer.id && !poll.isExpired && poll.ownVotes.isEmpty)
        set(.multiple, poll.isMultiple)
    }
}

extension Status {
    fileprivate func isBoostable(by account: Int64) -> Bool {
        (try? BoostRule.visibility(of: self, wanted: nil, by: account)) != nil
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

/// The beginning of a post as plain text.
enum PageExcerpt {
    /// The maximum number of Unicode scalars.
    private static let length = 280

    /// The beginning of a post, or its content warning; `nil` for one without text.
    static func text(_ status: Status) -> String? { text(status.spoilerText.nonEmpty ?? status.text) }

    /// The beginning of a text; `nil` for an empty one.
    static func text(_ text: String) -> String? {
        let text = text.unicodeScalars
        let start = String(String.UnicodeScalarView(text.prefix(length)))
        return (text.count > length ? start + "…" : start).nonEmpty
    }
}
