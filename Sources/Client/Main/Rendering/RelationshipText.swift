import FeedAPI
import FeedTerminal

/// Says in words how two accounts are related. Pure.
enum RelationshipText {
    static func text(_ relationship: Entity.Relationship) -> String {
        var parts = [follows(relationship)]
        if relationship.requested { parts.append("you have asked to follow this account") }
        if relationship.requested_by { parts.append("asks to follow you") }
        if relationship.blocking { parts.append("blocked by you") }
        if relationship.blocked_by { parts.append("blocks you") }
        if relationship.muting {
            let end = relationship.muting_expires_at.map { " until " + LocalTime.full(iso: $0) }
            parts.append("muted by you" + (end ?? ""))
        }
        if !relationship.note.isEmpty { parts.append("your note: " + SafeText.line(relationship.note)) }
        return parts.joined(separator: " · ")
    }

    private static func follows(_ relationship: Entity.Relationship) -> String {
        switch (relationship.following, relationship.followed_by) {
        case (true, true): "you follow each other"
        case (true, false): "you follow this account"
        case (false, true): "follows you"
        case (false, false): "you do not follow each other"
        }
    }
}
