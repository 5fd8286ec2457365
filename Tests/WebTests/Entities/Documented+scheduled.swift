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
