import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Makes entries of the reader from what servers send. They are rendered as by the commands that print them, but without
/// commands, ids and addresses, for which there are keys.
struct ReaderItemRenderer: Sendable {
    /// The account's reactions to a status, which its entity does not hold.
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

    /// Deeper replies are not indented further.
    private static let maximumDepth = 6
    /// The key that shows what is hidden.
    private static let revealingKey = "Enter shows it"

    let style: TextStyle
    /// The handle of the account, without `@`.
    let account: String
    var context = FilterContext.other

    func items(_ entries: [TimelineEntry]) -> [ReaderItem] { entries.compactMap { item($0) } }

    /// - Parameter isOpen: Whether the text behind a content warning is shown.
    /// - Returns: `nil` if a filter hides the status.
    func item(_ entry: TimelineEntry, isOpen: Bool = false) -> ReaderItem? {
        let (outer, shown) = (entry.status, entry.status.reblog?.value ?? entry.status)
        let effect = FilterEffect(on: shown, in: context, for: account)
        if effect == .hide { return nil }
        let (renderer, json) = (renderer(isOpen), entry.json)
        // The JSON takes much less memory than the decoded status.
        var item = ReaderItem(id: outer.id) { columns, pictures in
            let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json))
            return status.map { renderer(columns, pictures).lines($0) } ?? []
        }
        complete(&item, shown)
        item.previews = renderer(.max, [:]).shownMedia(of: shown).compactMap(AttachmentRenderer.previewURL)
        if case .warn(let title) = effect { item.excerpt = "(filtered: \(title))" }
        if outer.reblog != nil { item.excerpt = "⟳ " + item.excerpt }
        let reactions = try? JSONDecoder().decode(Reactions.self, from: Data(entry.json))
        item.reactions = reactions?.all ?? []
        return item
    }

    /// A reply in a conversation, after as many lines as there are replies between it and the opened status.
    func indented(_ item: ReaderItem, by depth: Int) -> ReaderItem {
        guard depth > 0 else { return item }
        let mark = style.dim(style.encoded(String(repeating: "│ ", count: min(depth, Self.maximumDepth))))
        let (lines, width) = (item.lines, 2 * min(depth, Self.maximumDepth))
        var item = item
        item.lines = { columns, pictures in
            let inner = lines(columns == .max ? .max : max(1, columns - width), pictures)
            return inner.map { mark + $0 }
        }
        return item
    }

    private func renderer(
        _ isOpen: Bool
    ) -> @Sendable (_ columns: Int, _ pictures: ReaderPictures) -> StatusRenderer {
        let (style, context, account) = (style, context, account)
        return { columns, pictures in
            var renderer = StatusRenderer(
                columns: columns, style: style, now: Milliseconds.now, context: context, viewer: account)
            (renderer.revealsSensitive, renderer.revealingKey) = (isOpen, Self.revealingKey)
            renderer.mediaPicture = { media in AttachmentRenderer.previewURL(media).flatMap { pictures[$0] } ?? [] }
            return renderer
        }
    }

    /// - Returns: `nil` if a filter hides the status.
    func item(_ entry: NotificationEntry) -> ReaderItem? {
        let effect = entry.status.map { FilterEffect(on: $0, in: .notifications, for: self.account) }
        if effect == .hide { return nil }
        let (style, account) = (style, account)
        let renderer: @Sendable (_ columns: Int) -> NotificationRenderer = { columns in
            var renderer = NotificationRenderer(
                columns: columns, style: style, now: Milliseconds.now, viewer: account)
            renderer.showsID = false
            return renderer
        }
        var item = ReaderItem(id: entry.id) { columns, _ in renderer(columns).lines(entry) }
        if let status = entry.status { complete(&item, status) }
        item.name = entry.accounts.first?.displayNameOrUsername ?? "somebody"
        let text = effect == FilterEffect.none && !item.excerpt.isEmpty ? ": " + item.excerpt : ""
        item.excerpt = renderer(.max).summary(entry) + text
        item.time = entry.createdAt.map(Self.time) ?? ""
        item.handle = entry.accounts.first?.acct
        if item.statusID == nil { item.opens = item.handle.map { .profile($0) } }
        return item
    }

    func item(_ entry: ConversationEntry) -> ReaderItem {
        let (style, conversation) = (style, entry.conversation)
        var item = ReaderItem(id: conversation.id) { columns, _ in
            var renderer = ConversationRenderer(columns: columns, style: style, now: Milliseconds.now)
            renderer.showsID = false
            return renderer.lines(conversation)
        }
        if let status = conversation.last_status { complete(&item, status) }
        let people = conversation.accounts.map { "@" + $0.acct }.joined(separator: ", ")
        item.name = (conversation.unread ? "● " : "") + (people.isEmpty ? "only you" : people)
        return item
    }

    func item(_ entry: OutboxEntry) -> ReaderItem {
        let style = style
        var item = ReaderItem(id: entry.id) { columns, _ in
            TextWrap.lines(style.block(OutboxRenderer.text(entry, now: Milliseconds.now)), columns: columns)
                + [""] + TextWrap.lines(style.block(entry.post.draft.text), columns: columns)
        }
        item.name = OutboxRenderer.purpose(entry.post) + " (" + entry.state.name + ")"
        item.excerpt = entry.post.draft.text
        item.time = RelativeTime.text(entry.createdAt, now: Milliseconds.now)
        return item
    }

    /// - Parameter relationship: `nil` for the user's own account, and for a visitor.
    func item(_ account: Entity.Account, _ relationship: Entity.Relationship?) -> ReaderItem {
        let (style, avatar) = (style, account.avatar)
        var item = ReaderItem(id: "account " + account.acct) { columns, pictures in
            (avatar.flatMap { pictures[$0] } ?? [])
                + AccountRenderer(columns: columns, style: style).lines(account, relationship)
        }
        item.previews = avatar.map { [$0] } ?? []
        item.media = avatar.map { [ReaderMedia(title: "avatar", description: "@" + account.acct, preview: $0)] } ?? []
        (item.name, item.handle, item.url) = (account.displayNameOrUsername, account.acct, account.url)
        let note = PlainText.from(html: account.note ?? "")
        item.excerpt = String(("@" + account.acct + "  " + note).prefix(Self.maximumExcerpt))
        item.isFollowed = relationship.map { $0.following || $0.requested }
        return item
    }

    /// The results of a search, the statuses last.
    func items(_ page: SearchResults) -> [ReaderItem] {
        let accounts = page.accounts.map { found in
            var item = item(found.value, nil)
            item.opens = .profile(found.value.acct)
            return item
        }
        let tags = page.hashtags.map { found in
            var item = ReaderItem(id: "tag " + found.value.name) { _, _ in ["#" + SafeText.line(found.value.name)] }
            (item.name, item.opens, item.url) = ("#" + found.value.name, .tag(found.value.name), found.value.url)
            return item
        }
        return accounts + tags + items(page.statuses)
    }

    private func complete(_ item: inout ReaderItem, _ status: Entity.Status) {
        item.statusID = status.id
        item.name = status.account.displayNameOrUsername
        item.time = Self.time(status.created_at)
        let warning = status.spoiler_text.isEmpty ? nil : "⚠ " + status.spoiler_text
        item.excerpt = String((warning ?? PlainText.from(html: status.content)).prefix(Self.maximumExcerpt))
        (item.handle, item.url) = (status.account.acct, status.url)
        item.isOwn = !account.isEmpty && status.account.acct.lowercased() == account.lowercased()
        item.media = (status.media_attachments ?? []).map { AttachmentRenderer(width: .max, style: style).file($0) }
        if let poll = status.poll, poll.expired != true, poll.voted != true {
            item.poll = ReaderPoll(options: poll.options.map(\.title), isMultiple: poll.multiple ?? false)
        }
    }

    private static func time(_ text: String) -> String {
        ISO8601.milliseconds(text).map { RelativeTime.text($0, now: Milliseconds.now) } ?? SafeText.line(text)
    }
}
