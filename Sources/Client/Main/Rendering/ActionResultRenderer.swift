import FeedAPI
import FeedClientKit
import FeedTerminal

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
        case .posted(let posted): JSONText.line(posted.json)
        case .scheduled(let scheduled): JSONText.line(scheduled.json)
        case .related(_, let relationship): entity(relationship)
        case .deleted(_, let deleted): deleted.map { JSONText.line($0.json) } ?? "{}"
        case .voted(_, let json): JSONText.line(json)
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
