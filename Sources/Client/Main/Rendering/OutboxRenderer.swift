import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a post in the outbox or a draft as one line: id, time, state or purpose, login, what is unusual about it, and
/// its beginning; the reason for which it was refused follows on the next line.
enum OutboxRenderer {
    private static let maximumWidth = 60

    static func print(_ text: String) {
        for line in ScreenOutput().encoded([text]) { Swift.print(line) }
    }

    /// - Parameter now: Milliseconds since 1970.
    static func text(_ entry: OutboxEntry, now: Int64) -> String {
        let reason: String? = if case .refused(let message) = entry.state { message } else { nil }
        let purpose = entry.post.action.map { _ in [Self.purpose(entry.post)] } ?? []
        return text(
            [entry.id, RelativeTime.text(entry.createdAt, now: now), entry.state.name] + purpose, entry.account,
            entry.post, reason)
    }

    /// The action of a post, such as `reply to 12` or `favourite 12`.
    static func purpose(_ post: OutboxPost) -> String {
        SafeText.line(post.action.map(purpose) ?? post.draft.inReplyToID.map { "reply to " + $0 } ?? "post")
    }

    private static func purpose(_ action: OutboxAction) -> String {
        switch action {
        case .react(let action, let id, let undo): (undo ? "undo " : "") + action.rawValue + " " + id
        case .vote(let choices, let id): "vote \(choices.map { String($0 + 1) }.joined(separator: " ")) in " + id
        case .edit(let id): "edit of " + id
        case .delete(let id): "delete " + id
        case .follow(let name, let undo): (undo ? "unfollow " : "follow ") + handle(name)
        case .block(let name, let undo): (undo ? "unblock " : "block ") + handle(name)
        case .mute(let name, _, _): "mute " + handle(name)
        case .unmute(let name): "unmute " + handle(name)
        case .followTag(let name, let undo): (undo ? "unfollow #" : "follow #") + name.drop { $0 == "#" }
        case .changeList(let change): purpose(change)
        }
    }

    private static func purpose(_ change: ListChange) -> String {
        switch change {
        case .create(let title, _, _): "create list " + title
        case .delete(let list): "delete list " + list
        case .add(let names, let list): "add \(names.map(handle).joined(separator: " ")) to list " + list
        case .remove(let names, let list): "remove \(names.map(handle).joined(separator: " ")) from list " + list
        }
    }

    private static func handle(_ name: String) -> String { "@" + name.drop { $0 == "@" } }

    /// - Parameter now: Milliseconds since 1970.
    static func text(_ draft: StoredDraft, now: Int64) -> String {
        let purpose = draft.editedID.map { SafeText.line("edit of " + $0) } ?? Self.purpose(draft.post)
        return text(
            [draft.id, RelativeTime.text(draft.createdAt, now: now), purpose], draft.account, draft.post,
            draft.reason)
    }

    private static func text(
        _ words: [String], _ account: OutboxAccount, _ post: OutboxPost, _ reason: String?
    ) -> String {
        let notes = notes(post)
        let content = (notes.isEmpty ? "" : "[\(notes.joined(separator: ", "))] ") + SafeText.line(post.draft.text)
        let login = SafeText.line(account.handle)
        let line = (words + [login, TextWidth.truncated(content, to: maximumWidth)]).joined(separator: "  ")
        return line + (reason.map { "\n        " + SafeText.line($0) } ?? "")
    }

    private static func notes(_ post: OutboxPost) -> [String] {
        var notes: [String] = []
        if let visibility = post.draft.visibility, visibility != "public" { notes.append(SafeText.line(visibility)) }
        if let warning = post.draft.spoilerText, !warning.isEmpty { notes.append("⚠ " + SafeText.line(warning)) }
        if !post.files.isEmpty { notes.append("▣ \(post.files.count)") }
        if post.draft.poll != nil { notes.append("poll") }
        if post.scheduledAt != nil { notes.append("scheduled") }
        return notes
    }
}

extension OutboxAccount {
    /// `@name@server`.
    var handle: String { "@\(username)@\(host)" }

    /// The server without its scheme.
    var host: String { server.components(separatedBy: "://").last ?? server }
}

/// A post in the outbox or a draft, as `--json` prints it. The members of the status are named as in the Mastodon API.
struct OutboxJSON: Encodable {
    let id: String
    let server: String
    let username: String
    /// The state of a post in the outbox.
    let state: String?
    /// The error with which the server refused the post.
    let error: String?
    let created_at: String
    let text: String
    let spoiler_text: String?
    let visibility: String?
    let in_reply_to_id: String?
    /// The status whose new text this is.
    let edited_id: String?
    let scheduled_at: String?
    /// The paths of the files.
    let media: [String]
    let poll_options: [String]?
    /// The action of an entry of the outbox instead of posting a new status, such as `favourite 12`.
    let action: String?

    init(_ entry: OutboxEntry) {
        let error: String? = if case .refused(let message) = entry.state { message } else { nil }
        self.init(
            entry.post, entry.account, id: entry.id, entry.createdAt, state: entry.state.name, error: error,
            editedID: entry.post.action?.editedID)
    }

    init(_ draft: StoredDraft) {
        self.init(
            draft.post, draft.account, id: draft.id, draft.createdAt, error: draft.reason, editedID: draft.editedID)
    }

    private init(
        _ post: OutboxPost, _ account: OutboxAccount, id: String, _ createdAt: Int64, state: String? = nil,
        error: String?, editedID: String? = nil
    ) {
        (self.id, self.state, self.error, edited_id) = (id, state, error, editedID)
        (server, username) = (account.server, account.username)
        created_at = ISO8601.text(milliseconds: createdAt)
        (text, spoiler_text, visibility) = (post.draft.text, post.draft.spoilerText, post.draft.visibility)
        in_reply_to_id = post.draft.inReplyToID
        scheduled_at = post.scheduledAt.map { ISO8601.text(milliseconds: $0) }
        media = post.files.map(\.path)
        poll_options = post.draft.poll?.options
        action = post.action.map { _ in OutboxRenderer.purpose(post) }
    }
}

/// Renders what has become of a post, or of another action of the outbox, as one line.
enum ActionResultRenderer {
    /// The address or the id of a status, the id and the local time of a scheduled one, or what an action has changed.
    static func text(_ result: ActionResult, _ action: OutboxAction? = nil) -> String {
        switch result {
        case .posted(let posted): SafeText.line(posted.status.url ?? posted.status.id)
        case .scheduled(let scheduled):
            "scheduled \(SafeText.line(scheduled.status.id)) for \(ScheduleCommand.text(scheduled.status))"
        case .related(let account, let relationship):
            state(relationship, action) + " @" + SafeText.line(account.acct) + end(of: relationship, action)
        case .deleted(let id, _): "deleted " + SafeText.line(id)
        case .voted(let poll, _): "voted in " + SafeText.line(poll.id)
        case .list(let list, let accounts): text(list, accounts, action)
        case .tag(let tag): (isUndone(action) ? "no longer following #" : "following #") + SafeText.line(tag.name)
        }
    }

    /// The entity that the server sent.
    static func json(_ result: ActionResult) -> String {
        switch result {
        case .posted(let posted): RawJSON.line(posted.json)
        case .scheduled(let scheduled): RawJSON.line(scheduled.json)
        case .related(_, let relationship): entity(relationship)
        case .deleted(_, let deleted): deleted.map { RawJSON.line($0.json) } ?? "{}"
        case .voted(_, let json): RawJSON.line(json)
        case .list(let list, _): list.map(entity) ?? "{}"
        case .tag(let tag): entity(tag)
        }
    }

    private static func entity(_ value: some Encodable) -> String { (try? EntityJSON.line(value)) ?? "{}" }

    private static func state(_ relationship: Entity.Relationship, _ action: OutboxAction?) -> String {
        switch action {
        case .block(_, let undo): undo ? "unblocked" : "blocked"
        case .mute: "muted"
        case .unmute: "unmuted"
        default:
            relationship.following ? "following" : relationship.requested ? "asked to follow" : "no longer following"
        }
    }

    /// Until when an account is muted.
    private static func end(of relationship: Entity.Relationship, _ action: OutboxAction?) -> String {
        guard case .mute = action, let time = relationship.muting_expires_at else { return "" }
        return " until " + LocalTime.full(iso: time)
    }

    private static func isUndone(_ action: OutboxAction?) -> Bool {
        if case .followTag(_, let undo) = action { undo } else { false }
    }

    private static func text(_ list: Entity.List?, _ accounts: [Entity.Account], _ action: OutboxAction?) -> String {
        let names = accounts.map { "@" + SafeText.line($0.acct) }.joined(separator: ", ")
        let title = SafeText.line(list?.title ?? "")
        return switch action {
        case .changeList(.delete(let name)): "deleted " + (list == nil ? SafeText.line(name) : title)
        case .changeList(.add): "\(names) added to \(title)"
        case .changeList(.remove): "\(names) removed from \(title)"
        default: list?.line ?? ""
        }
    }
}
