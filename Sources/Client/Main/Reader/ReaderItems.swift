import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Makes entries of the reader from what servers send. They are rendered as by the commands that print them.
struct ReaderItems: Sendable {
    /// What the account has done to a status, which its entity does not hold.
    private struct Reactions: Decodable {
        struct Boosted: Decodable {
            let favourited: Bool?, reblogged: Bool?, bookmarked: Bool?
        }

        let favourited: Bool?, reblogged: Bool?, bookmarked: Bool?
        let reblog: Boosted?

        var all: Set<ReaderReaction> {
            let marks: [(Bool?, ReaderReaction)] = [
                (reblog?.favourited ?? favourited, .favourite), (reblog?.reblogged ?? reblogged, .boost),
                (reblog?.bookmarked ?? bookmarked, .bookmark),
            ]
            return Set(marks.filter { $0.0 == true }.map(\.1))
        }
    }

    /// Longer excerpts fit in no list.
    private static let maximumExcerpt = 300

    let style: TextStyle
    /// The handle of the account, without `@`.
    let account: String
    var context = FilterContext.other

    func items(_ entries: [TimelineEntry]) -> [ReaderItem] { entries.compactMap { item($0) } }

    /// - Parameter isOpen: Whether the text behind a content warning is shown.
    /// - Returns: `nil` if a filter hides the status.
    func item(_ entry: TimelineEntry, isOpen: Bool = false) -> ReaderItem? {
        let (outer, shown) = (entry.status, entry.status.reblog?.value ?? entry.status)
        let effect = FilterEffect(on: shown, in: context)
        if effect == .hide { return nil }
        let (style, context) = (style, context)
        var item = ReaderItem(id: outer.id) { columns in
            var renderer = StatusRenderer(columns: columns, style: style, now: Milliseconds.now, context: context)
            renderer.revealsSensitive = isOpen
            return renderer.lines(outer)
        }
        complete(&item, shown)
        if case .warn(let title) = effect { item.excerpt = "(filtered: \(title))" }
        if outer.reblog != nil { item.excerpt = "⟳ " + item.excerpt }
        let reactions = try? JSONDecoder().decode(Reactions.self, from: Data(entry.json))
        item.reactions = reactions?.all ?? []
        return item
    }

    func item(_ entry: NotificationEntry) -> ReaderItem {
        let style = style
        var item = ReaderItem(id: entry.id) { columns in
            NotificationRenderer(columns: columns, style: style, now: Milliseconds.now).lines(entry)
        }
        if let status = entry.status { complete(&item, status) }
        let whole = NotificationRenderer(columns: .max, style: TextStyle(hasColor: false), now: nil).lines(entry)
        item.name = entry.accounts.first.map(Self.name) ?? "somebody"
        item.excerpt = whole.first ?? ""
        item.time = entry.createdAt.map(Self.time) ?? ""
        item.handle = entry.accounts.first?.acct
        return item
    }

    func item(_ entry: ConversationEntry) -> ReaderItem {
        let (style, conversation) = (style, entry.conversation)
        var item = ReaderItem(id: conversation.id) { columns in
            ConversationRenderer(columns: columns, style: style, now: Milliseconds.now).lines(conversation)
        }
        if let status = conversation.last_status { complete(&item, status) }
        let people = conversation.accounts.map { "@" + $0.acct }.joined(separator: ", ")
        item.name = (conversation.unread ? "● " : "") + (people.isEmpty ? "only you" : people)
        return item
    }

    func item(_ entry: OutboxEntry) -> ReaderItem {
        let style = style
        var item = ReaderItem(id: entry.id) { columns in
            TextWrap.lines(style.block(StoredPostLine.text(entry, now: Milliseconds.now)), columns: columns)
                + [""] + TextWrap.lines(style.block(entry.post.draft.text), columns: columns)
        }
        item.name = StoredPostLine.purpose(entry.post) + " (" + entry.state.name + ")"
        item.excerpt = entry.post.draft.text
        item.time = RelativeTime.text(entry.createdAt, now: Milliseconds.now)
        return item
    }

    private func complete(_ item: inout ReaderItem, _ status: Entity.Status) {
        item.statusID = status.id
        item.name = Self.name(status.account)
        item.time = Self.time(status.created_at)
        let warning = status.spoiler_text.isEmpty ? nil : "⚠ " + status.spoiler_text
        item.excerpt = String((warning ?? PlainText.from(html: status.content)).prefix(Self.maximumExcerpt))
        (item.handle, item.url) = (status.account.acct, status.url)
        item.isOwn = !account.isEmpty && status.account.acct.lowercased() == account.lowercased()
        item.hasMedia = status.media_attachments?.isEmpty == false
        if let poll = status.poll, poll.expired != true, poll.voted != true {
            item.poll = ReaderPoll(options: poll.options.map(\.title), isMultiple: poll.multiple ?? false)
        }
    }

    private static func name(_ account: Entity.Account) -> String {
        account.display_name.isEmpty ? account.username : account.display_name
    }

    private static func time(_ text: String) -> String {
        ISO8601.milliseconds(text).map { RelativeTime.text($0, now: Milliseconds.now) } ?? SafeText.line(text)
    }
}

extension ReaderSource {
    /// The timeline that the source is; `nil` if it is none.
    var timeline: TimelineName? {
        switch self {
        case .home: .home
        case .local: .local
        case .public: .public
        case .bookmarks: .bookmarks
        case .favourites: .favourites
        case .list(let name): .list(name)
        case .tag(let name): .tag(name)
        case .profile(let name): .account(name)
        case .notifications, .conversations, .outbox, .search: nil
        }
    }
}

extension ReaderReaction {
    var action: StatusAction {
        switch self {
        case .favourite: .favourite
        case .boost: .boost
        case .bookmark: .bookmark
        }
    }
}
