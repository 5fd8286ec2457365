extension Documented {
    /// https://docs.joinmastodon.org/entities/Notification/
    static let notification: [String: Shape.Field] = [
        "id": .must(.id),
        "type": .must(
            .word(["mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update"])),
        // Since Mastodon 4.3; this server claims 4.2.
        "group_key": .may(.text),
        "created_at": .must(.time),
        "account": .must(.entity(.account)),
        "status": .may(.entity(.status)),
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
        "reading:expand:spoilers": .must(.flag), "reading:autoplay:gifs": .may(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/Tag/
    static let tag: [String: Shape.Field] = [
        "id": .may(.text), "name": .must(.text), "url": .must(.address),
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
