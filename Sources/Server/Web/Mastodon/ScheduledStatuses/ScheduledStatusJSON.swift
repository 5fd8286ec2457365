import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a ScheduledStatus entity.
    mutating func scheduledStatus(_ scheduled: ScheduledStatus, _ entities: EntityContext) {
        object {
            $0.field("id", id: scheduled.id)
            $0.field("scheduled_at", time: scheduled.scheduledAt)
            $0.object("params") { $0.parameters(scheduled.parameters) }
            $0.array("media_attachments") { for media in scheduled.media { $0.media(media, entities) } }
        }
    }

    private mutating func parameters(_ parameters: ScheduledParameters) {
        field("text", parameters.text)
        key("poll")
        if let poll = parameters.poll { self.poll(poll) } else { null() }
        mediaIDs(parameters.mediaIDs)
        field("sensitive", parameters.sensitive)
        field("spoiler_text", parameters.spoilerText.isEmpty ? nil : parameters.spoilerText)
        field("visibility", parameters.visibility)
        // Documented as an integer, but beyond the precision of JavaScript, whose clients expect a string.
        field("in_reply_to_id", id: parameters.inReplyToID)
        field("language", parameters.language)
        field("allowed_mentions", nil)
        // Documented as meaningless, but some clients require an integer.
        field("application_id", 0)
        field("scheduled_at", nil)
        field("idempotency", nil)
        field("with_rate_limit", false)
    }

    private mutating func mediaIDs(_ ids: [Int64]) {
        key("media_ids")
        guard !ids.isEmpty else { return null() }
        array { for id in ids { $0.id(id) } }
    }

    private mutating func poll(_ poll: ScheduledParameters.Poll) {
        object {
            $0.array("options") { for option in poll.options { $0.string(option) } }
            $0.field("expires_in", String(poll.expiresIn))
            $0.field("multiple", poll.multiple)
            $0.field("hide_totals", poll.hideTotals)
        }
    }
}
