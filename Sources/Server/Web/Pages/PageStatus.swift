import FeedAPI
import FeedCore

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
        if !status.tags.isEmpty { self[.categories] = .texts(FeedEntry.tags(of: status)) }
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
