import FeedCore
import Testing

struct NotificationRuleTests {
    private static func isNotified(
        _ relation: NotificationRule.Relation, _ recipient: Int64 = 1, of kind: Notification.Kind = .favourite
    ) -> Bool {
        NotificationRule.isNotified(recipient, of: kind, by: 2, relation, now: 1000)
    }

    @Test func blocksAndMutesSuppressNotifications() {
        #expect(Self.isNotified(.init()))
        #expect(!Self.isNotified(.init(), 2))
        #expect(!Self.isNotified(.init(isBlocked: true)))
        #expect(!Self.isNotified(.init(mutesConversation: true)))
        #expect(!Self.isNotified(.init(mute: Mute())))
        #expect(Self.isNotified(.init(mute: Mute(hidesNotifications: false))))
        #expect(!Self.isNotified(.init(mute: Mute(expiresAt: 1001))))
        #expect(Self.isNotified(.init(mute: Mute(expiresAt: 1000))))
    }

    @Test func onlyTheEndOfTheirPollNotifiesAuthorsOfTheirOwnActions() {
        for kind in Notification.Kind.allCases {
            #expect(Self.isNotified(.init(), 2, of: kind) == (kind == .poll))
        }
        #expect(!Self.isNotified(.init(mutesConversation: true), 2, of: .poll))
    }

    @Test func followersAreNotifiedOfPostsButNotOfRepliesOrDirectStatuses() {
        var draft = StatusDraft(text: "x")
        for visibility in [Visibility.public, .unlisted, .followers] {
            draft.visibility = visibility
            #expect(NotificationRule.notifiesFollowers(draft))
        }
        draft.inReplyToID = 5
        #expect(!NotificationRule.notifiesFollowers(draft))
        draft.inReplyToID = nil
        draft.visibility = .direct
        #expect(!NotificationRule.notifiesFollowers(draft))
    }

    @Test func onlyNewMentionsOfOthersNotify() {
        let names = (1...4).map { Status.Mention(id: $0, username: "a\($0)") }
        let found = NotificationRule.mentioned(in: names, before: [names[1]], by: 3)
        #expect(found.map(\.id) == [1, 4])
    }
}
