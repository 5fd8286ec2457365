import FeedAPI
import FeedCore
import FeedTerminal

/// Formats invitations for the command line.
enum InvitationFormatter {
    /// - Parameter now: Milliseconds since 1970.
    static func line(_ invitation: Invitation, at now: Int64) -> String {
        let state = invitation.isUsable(at: now) ? "" : "  ended"
        let inviter = invitation.inviter.map { "  by " + SafeText.line($0.username) } ?? ""
        return "\(invitation.code)  used \(invitation.uses) of \(invitation.maximumUses)"
            + "  expires \(ISO8601.text(milliseconds: invitation.expiresAt))\(inviter)\(state)"
    }

    /// - Parameter now: Milliseconds since 1970.
    static func json(_ invitation: Invitation, at now: Int64) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("code", invitation.code)
            $0.field("uses", invitation.uses)
            $0.field("max_uses", invitation.maximumUses)
            $0.field("created_at", time: invitation.createdAt)
            $0.field("expires_at", time: invitation.expiresAt)
            $0.field("inviter", invitation.inviter?.username)
            $0.field("usable", invitation.isUsable(at: now))
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
