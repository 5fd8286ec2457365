/// The rules that determine who is notified.
package enum NotificationRule {
    /// The maximum number of accounts notified of a post or an edit, since a single transaction stores all
    /// notifications.
    package static let maximumRecipients = 1000

    /// The relationship of a recipient to the account that caused a notification.
    package struct Relation: Sendable {
        /// Whether one of the two blocks the other.
        package var isBlocked: Bool
        /// The recipient's mute of the sender.
        package var mute: Mute?
        /// Whether the recipient mutes the conversation.
        package var mutesConversation: Bool

        package init(isBlocked: Bool = false, mute: Mute? = nil, mutesConversation: Bool = false) {
            self.isBlocked = isBlocked
            self.mute = mute
            self.mutesConversation = mutesConversation
        }
    }

    /// Whether an account is notified of an event that it has caused itself: only of the end of its poll.
    package static func mayNotifySender(of kind: Notification.Kind) -> Bool { kind == .poll }

    /// Whether an action of `sender` creates a notification for `recipient`. Administrators are notified of sign-ups and
    /// reports by accounts that they block or mute, too.
    /// - Parameter now: Milliseconds since 1970.
    package static func isNotified(
        _ recipient: Int64, of kind: Notification.Kind, by sender: Int64, _ relation: Relation, now: Int64
    ) -> Bool {
        guard recipient != sender || mayNotifySender(of: kind) else { return false }
        guard !kind.isForModerators else { return true }
        guard !relation.isBlocked, !relation.mutesConversation else { return false }
        guard let mute = relation.mute, mute.hidesNotifications else { return true }
        return mute.expiresAt.map { $0 <= now } ?? false
    }

    /// Whether followers who enabled notifications for the author are notified. Replies and direct posts are excluded.
    package static func notifiesFollowers(_ draft: StatusDraft) -> Bool {
        draft.visibility != .direct && draft.inReplyToID == nil
    }

    /// The mentions that are not in `before`, except the mention of the author.
    package static func mentioned(
        in mentions: [Status.Mention], before: [Status.Mention] = [], by author: Int64
    ) -> [Status.Mention] {
        let earlier = Set(before.map(\.id))
        return mentions.filter { $0.id != author && !earlier.contains($0.id) }
    }
}
