extension Documented {
    /// https://docs.joinmastodon.org/entities/Notification/
    static let notification: [String: Shape.Field] = [
        "id": .must(.id),
        "type": .must(
            .word([
                "mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update",
                "admin.sign_up", "admin.report",
            ])),
        "group_key": .must(.text),
        "created_at": .must(.time),
        "account": .must(.entity(.account)),
        "status": .may(.entity(.status)),
        "report": .may(.entity(.report)),
    ]

    /// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults
    static let notificationGroups: [String: Shape.Field] = [
        "accounts": .must(.list(.entity(.account))),
        "partial_accounts": .may(.list(.entity(.partialAccount))),
        "statuses": .must(.list(.entity(.status))),
        "notification_groups": .must(.list(.entity(.notificationGroup))),
    ]

    /// https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup
    static let notificationGroup: [String: Shape.Field] = [
        "group_key": .must(.text), "notifications_count": .must(.count),
        "type": notification["type"] ?? .must(.text),
        // Documented as a number.
        "most_recent_notification_id": .must(.count),
        "page_min_id": .may(.id), "page_max_id": .may(.id), "latest_page_notification_at": .may(.time),
        "sample_account_ids": .must(.list(.id)), "status_id": .may(.id), "report": .may(.entity(.report)),
    ]

    /// https://docs.joinmastodon.org/methods/grouped_notifications/#PartialAccountWithAvatar
    static let partialAccount: [String: Shape.Field] = [
        "id": .must(.id), "acct": .must(.text), "url": .must(.address), "avatar": .must(.address),
        "avatar_static": .must(.address), "locked": .must(.flag), "bot": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/NotificationPolicy/
    static let notificationPolicy: [String: Shape.Field] = [
        "for_not_following": .must(.word(["accept"])), "for_not_followers": .must(.word(["accept"])),
        "for_new_accounts": .must(.word(["accept"])), "for_private_mentions": .must(.word(["accept"])),
        "for_limited_accounts": .must(.word(["accept"])), "summary": .must(.object(pending)),
    ]

    /// The policy as of Mastodon 4.3's first version.
    static let notificationPolicyV1: [String: Shape.Field] = [
        "filter_not_following": .must(.flag), "filter_not_followers": .must(.flag),
        "filter_new_accounts": .must(.flag), "filter_private_mentions": .must(.flag),
        "summary": .must(.object(pending)),
    ]

    private static let pending: [String: Shape.Field] = [
        "pending_requests_count": .must(.count), "pending_notifications_count": .must(.count),
    ]

    /// https://docs.joinmastodon.org/methods/notifications/#unread-count
    static let unreadCount: [String: Shape.Field] = ["count": .must(.count)]

    /// https://docs.joinmastodon.org/entities/Marker/
    static let marker: [String: Shape.Field] = [
        "last_read_id": .must(.id), "version": .must(.count), "updated_at": .must(.time),
    ]
    static let markers: [String: Shape.Field] = [
        "home": .may(.entity(.marker)), "notifications": .may(.entity(.marker)),
    ]

    /// https://docs.joinmastodon.org/entities/Preferences/
    static let preferences: [String: Shape.Field] = [
        "posting:default:visibility": .must(visibilities), "posting:default:sensitive": .must(.flag),
        "posting:default:language": .must(.orNull(.text)),
        "reading:expand:media": .must(.word(["default", "show_all", "hide_all"])),
        "reading:expand:spoilers": .must(.flag), "reading:autoplay:gifs": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/Tag/
    static let tag: [String: Shape.Field] = [
        "id": .must(.text), "name": .must(.text), "url": .must(.address),
        "history": .must(.list(.object(["day": .must(.text), "uses": .must(.text), "accounts": .must(.text)]))),
        "following": .own(.flag), "featuring": .may(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/List/
    static let list: [String: Shape.Field] = [
        "id": .must(.id), "title": .must(.text), "replies_policy": .must(.word(["none", "list", "followed"])),
        "exclusive": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/Search/
    static let search: [String: Shape.Field] = [
        "accounts": .must(.list(.entity(.account))), "statuses": .must(.list(.entity(.status))),
        "hashtags": .must(.list(.entity(.tag))),
    ]
}
