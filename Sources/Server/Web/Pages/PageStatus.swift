import FeedAPI
import FeedCore

/// A status on a page.
extension TemplateValues {
    /// A status.
    /// - Parameters:
    ///   - isFocus: Whether the page is about this status.
    ///   - viewer: The account whose actions are shown; `nil` for visitors.
    init(
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
