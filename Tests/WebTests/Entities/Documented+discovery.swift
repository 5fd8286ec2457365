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
