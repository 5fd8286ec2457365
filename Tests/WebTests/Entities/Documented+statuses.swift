extension Documented {
    static let visibilities = Shape.word(["public", "unlisted", "private", "direct"])

    /// https://docs.joinmastodon.org/entities/Status/
    /// `scheduled_at` is missing on purpose, and therefore a fault: toot crashes on it, even if it is null.
    static let status: [String: Shape.Field] = [
        "id": .must(.id),
        "uri": .must(.address),
        "url": .must(.orNull(.address)),
        "created_at": .must(.time),
        "edited_at": .must(.orNull(.time)),
        "account": .must(.entity(.account)),
        "content": .must(.text),
        "visibility": .must(visibilities),
        "sensitive": .must(.flag),
        "spoiler_text": .must(.text),
        "media_attachments": .must(.list(.entity(.mediaAttachment))),
        // Documented as optional, but toot and others require it.
        "application": .must(.orNull(.object(["name": .must(.text), "website": .must(.orNull(.address))]))),
        "mentions": .must(.list(.entity(.mention))),
        "tags": .must(.list(.entity(.statusTag))),
        "emojis": .must(.list(.entity(.customEmoji))),
        "reblogs_count": .must(.count),
        "favourites_count": .must(.count),
        "replies_count": .must(.count),
        "in_reply_to_id": .must(.orNull(.id)),
        "in_reply_to_account_id": .must(.orNull(.id)),
        "reblog": .must(.orNull(.entity(.status))),
        "poll": .must(.orNull(.entity(.poll))),
        "card": .must(.null),
        "language": .must(.orNull(.text)),
        "favourited": .own(.flag),
        "reblogged": .own(.flag),
        "muted": .own(.flag),
        "bookmarked": .own(.flag),
        // Only if the viewer could pin the status.
        "pinned": .may(.flag),
        "filtered": .own(.list(.entity(.filterResult))),
    ]

    /// The response to DELETE, with the source text instead of the content.
    static let deletedStatus = status.merging(["text": .must(.text), "content": .may(.text)]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/StatusEdit/
    static let statusEdit: [String: Shape.Field] = [
        "content": .must(.text), "spoiler_text": .must(.text), "sensitive": .must(.flag), "created_at": .must(.time),
        "account": .must(.entity(.account)), "media_attachments": .must(.list(.entity(.mediaAttachment))),
        "emojis": .must(.list(.entity(.customEmoji))),
        "poll": .must(.orNull(.object(["options": .must(.list(.object(["title": .must(.text)])))]))),
    ]

    /// https://docs.joinmastodon.org/entities/StatusSource/
    static let statusSource: [String: Shape.Field] = [
        "id": .must(.id), "text": .must(.text), "spoiler_text": .must(.text),
    ]

    /// https://docs.joinmastodon.org/entities/Context/
    static let context: [String: Shape.Field] = [
        "ancestors": .must(.list(.entity(.status))), "descendants": .must(.list(.entity(.status))),
    ]

    /// https://docs.joinmastodon.org/entities/Status/#Mention
    static let mention: [String: Shape.Field] = [
        "id": .must(.id), "username": .must(.text), "acct": .must(.text), "url": .must(.address),
    ]

    /// https://docs.joinmastodon.org/entities/Status/#Tag
    static let statusTag: [String: Shape.Field] = ["name": .must(.text), "url": .must(.address)]

    /// https://docs.joinmastodon.org/entities/MediaAttachment/
    static let mediaAttachment: [String: Shape.Field] = [
        "id": .must(.id), "type": .must(.word(["unknown", "image", "gifv", "video", "audio"])),
        "url": .must(.orNull(.address)), "preview_url": .must(.orNull(.address)),
        "remote_url": .must(.orNull(.address)), "preview_remote_url": .must(.orNull(.address)),
        "description": .must(.orNull(.text)),
        "blurhash": .must(.orNull(.text)),
        "meta": .must(.orNull(.object(["original": .may(size), "small": .may(size), "focus": .may(focus)]))),
        // Removed from the documentation, but not from Mastodon.
        "text_url": .must(.orNull(.address)),
    ]

    /// https://docs.joinmastodon.org/entities/Poll/
    static let poll: [String: Shape.Field] = [
        "id": .must(.id), "expires_at": .must(.orNull(.time)), "expired": .must(.flag), "multiple": .must(.flag),
        "votes_count": .must(.count), "voters_count": .must(.orNull(.count)),
        "options": .must(.list(.object(["title": .must(.text), "votes_count": .must(.orNull(.count))]))),
        "emojis": .must(.list(.entity(.customEmoji))), "voted": .own(.flag), "own_votes": .own(.list(.count)),
    ]

    private static let size = Shape.object([
        "width": .may(.count), "height": .may(.count), "size": .may(.text), "aspect": .may(.anyNumber),
        "duration": .may(.anyNumber), "frame_rate": .may(.text), "bitrate": .may(.count),
    ])

    private static let focus = Shape.object(["x": .must(.anyNumber), "y": .must(.anyNumber)])
}

extension Documented {
    /// https://docs.joinmastodon.org/entities/ScheduledStatus/
    static let scheduledStatus: [String: Shape.Field] = [
        "id": .must(.id), "scheduled_at": .must(.time), "params": .must(.object(scheduledParameters)),
        "media_attachments": .must(.list(.entity(.mediaAttachment))),
    ]

    private static let scheduledParameters: [String: Shape.Field] = [
        "text": .must(.text),
        "poll": .must(
            .orNull(
                .object([
                    "options": .must(.list(.text)), "expires_in": .must(.text), "multiple": .must(.flag),
                    "hide_totals": .must(.flag),
                ]))),
        "media_ids": .must(.orNull(.list(.id))),
        "sensitive": .must(.orNull(.flag)),
        "spoiler_text": .must(.orNull(.text)),
        "visibility": .must(visibilities),
        // Documented as an integer, whose precision JavaScript does not have.
        "in_reply_to_id": .must(.orNull(.id)),
        "language": .must(.orNull(.text)),
        // Not documented, but in the parameters that Mastodon keeps.
        "allowed_mentions": .must(.null),
        "application_id": .must(.integer),
        "scheduled_at": .must(.null),
        "idempotency": .must(.orNull(.text)),
        "with_rate_limit": .must(.flag),
    ]
}
