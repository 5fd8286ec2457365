import FeedAPI
import FeedCore
import FeedStore

/// Scheduled statuses: list, show, reschedule, cancel. ``StatusController`` creates them.
struct ScheduledStatusController: Sendable {
    let scheduledStatuses: ScheduledStatusStore
    let publishing: StatusPublishing
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.scheduledStatuses, .account(.readStatuses), use: list)
        endpoints.get(Paths.scheduledStatuses + "/:id", .account(.readStatuses), use: show)
        endpoints.put(Paths.scheduledStatuses + "/:id", .account(.writeStatuses), use: move)
        endpoints.delete(Paths.scheduledStatuses + "/:id", .account(.writeStatuses), use: cancel)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination(request.query, limits: settings.limits)
        let fetched = try await scheduledStatuses.statuses(
            of: viewer.account.id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            json, scheduled, entities in
            json.scheduledStatus(scheduled, entities)
        }
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let status = try await scheduledStatuses.status(id: try context.id(), of: viewer.account.id)
        guard let status else { throw FeedError.notFound }
        return Response(status, try contexts.make(for: request))
    }

    @Sendable func move(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let id = try context.id()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard try await scheduledStatuses.status(id: id, of: viewer.account.id) != nil else {
            throw FeedError.notFound
        }
        guard let time = try input.scheduledAt() else { throw FeedError.invalid("Scheduled at can't be blank") }
        let moved = try await publishing.scheduling(on: nil).move(id, to: time, of: viewer.account.id)
        return Response(moved, try contexts.make(for: request))
    }

    @Sendable func cancel(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await scheduledStatuses.cancel(try context.id(), of: viewer.account.id)
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }
}

extension Response {
    init(_ scheduled: ScheduledStatus, _ entities: EntityContext) {
        var json = JSONWriter(capacity: 1024)
        json.scheduledStatus(scheduled, entities)
        self.init(json: json)
    }
}

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

    private mutating func parameters(_ parameters: ScheduledStatusContent) {
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

    private mutating func poll(_ poll: ScheduledStatusContent.Poll) {
        object {
            $0.array("options") { for option in poll.options { $0.string(option) } }
            $0.field("expires_in", String(poll.expiresIn))
            $0.field("multiple", poll.multiple)
            $0.field("hide_totals", poll.hideTotals)
        }
    }
}
