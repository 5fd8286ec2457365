extension Documented {
    /// https://docs.joinmastodon.org/entities/Account/
    static let account: [String: Shape.Field] = [
        "id": .must(.id),
        "username": .must(.text),
        "acct": .must(.text),
        "url": .must(.address),
        "uri": .must(.address),
        "display_name": .must(.text),
        "note": .must(.text),
        "avatar": .must(.address),
        "avatar_static": .must(.address),
        "header": .must(.address),
        "header_static": .must(.address),
        "locked": .must(.flag),
        "fields": .must(.list(.entity(.field))),
        "emojis": .must(.list(.entity(.customEmoji))),
        "bot": .must(.flag),
        "group": .must(.flag),
        "discoverable": .must(.orNull(.flag)),
        "indexable": .must(.flag),
        "hide_collections": .must(.orNull(.flag)),
        "noindex": .must(.orNull(.flag)),
        "moved": .may(.null),
        "suspended": .may(.flag),
        "limited": .may(.flag),
        "roles": .must(.list(.entity(.shownRole))),
        "created_at": .must(.time),
        "last_status_at": .must(.orNull(.day)),
        "statuses_count": .must(.count),
        "followers_count": .must(.count),
        "following_count": .must(.count),
    ]

    /// https://docs.joinmastodon.org/entities/Account/#CredentialAccount
    static let credentialAccount = account.merging([
        "source": .must(
            .object([
                "privacy": .must(visibilities), "sensitive": .must(.flag), "language": .must(.orNull(.text)),
                "note": .must(.text), "fields": .must(.list(.entity(.field))),
                "follow_requests_count": .must(.count), "discoverable": .must(.orNull(.flag)),
                "indexable": .must(.flag), "hide_collections": .must(.orNull(.flag)),
                "attribution_domains": .must(.list(.text)),
            ])),
        "role": .must(.entity(.role)),
    ]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/Account/#MutedAccount
    static let mutedAccount = account.merging(["mute_expires_at": .must(.orNull(.time))]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/Account/#Field
    static let field: [String: Shape.Field] = [
        "name": .must(.text), "value": .must(.text), "verified_at": .must(.orNull(.time)),
    ]

    /// https://docs.joinmastodon.org/entities/Role/
    static let role: [String: Shape.Field] = [
        "id": .must(.text), "name": .must(.text), "color": .must(.text), "permissions": .must(.text),
        "highlighted": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/Account/#roles
    static let shownRole: [String: Shape.Field] = [
        "id": .must(.text), "name": .must(.text), "color": .must(.text),
    ]

    /// https://docs.joinmastodon.org/entities/Relationship/
    static let relationship: [String: Shape.Field] = [
        "id": .must(.id), "following": .must(.flag), "showing_reblogs": .must(.flag), "notifying": .must(.flag),
        "languages": .must(.orNull(.list(.text))), "followed_by": .must(.flag), "blocking": .must(.flag),
        "blocked_by": .must(.flag), "muting": .must(.flag), "muting_notifications": .must(.flag),
        "muting_expires_at": .must(.orNull(.time)), "requested": .must(.flag), "requested_by": .must(.flag),
        "domain_blocking": .must(.flag), "endorsed": .must(.flag), "note": .must(.text),
    ]
}

extension Documented {
    /// https://docs.joinmastodon.org/entities/Conversation/
    static let conversation: [String: Shape.Field] = [
        "id": .must(.id), "unread": .must(.flag), "accounts": .must(.list(.entity(.account))),
        "last_status": .must(.orNull(.entity(.status))),
    ]

    /// https://docs.joinmastodon.org/entities/FeaturedTag/
    static let featuredTag: [String: Shape.Field] = [
        "id": .must(.id), "name": .must(.text), "url": .must(.address), "statuses_count": .must(.digits),
        "last_status_at": .must(.orNull(.day)),
    ]

    /// https://docs.joinmastodon.org/entities/Suggestion/
    static let suggestion: [String: Shape.Field] = [
        "source": .must(.word(["staff", "past_interactions", "global"])), "sources": .must(.list(.text)),
        "account": .must(.entity(.account)),
    ]

    /// https://docs.joinmastodon.org/entities/CustomEmoji/
    static let customEmoji: [String: Shape.Field] = [
        "shortcode": .must(.text), "url": .must(.address), "static_url": .must(.address),
        "visible_in_picker": .must(.flag), "category": .must(.orNull(.text)),
    ]
}
