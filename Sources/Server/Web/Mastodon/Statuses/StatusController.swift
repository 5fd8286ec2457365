import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// Single statuses: post, read, edit, delete, context, edit history and source.
struct StatusController: Sendable {
    /// The maximum number of statuses per request.
    private static let maximumIDs = 40

    let statuses: StatusStore
    let edits: StatusEditing
    let publishing: StatusPublishing
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.statuses, .optional(.readStatuses), use: list)
        endpoints.post(Paths.statuses, .account(.writeStatuses), use: post)
        endpoints.get(Paths.statuses + "/:id", .optional(.readStatuses), use: show)
        endpoints.put(Paths.statuses + "/:id", .account(.writeStatuses), use: edit)
        endpoints.delete(Paths.statuses + "/:id", .account(.writeStatuses), use: delete)
        endpoints.get(Paths.statuses + "/:id/context", .optional(.readStatuses), use: context)
        endpoints.get(Paths.statuses + "/:id/history", .optional(.readStatuses), use: history)
        endpoints.get(Paths.statuses + "/:id/source", .account(.readStatuses), use: source)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        return try await response(
            for: try await status(context, for: viewer), to: request, viewer: viewer, filtering: .thread)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        let ids = try request.query.ids(.id, limit: Self.maximumIDs)
        let listed = try await statuses.statuses(ids: ids, for: viewer?.account.id)
        let entities = try await contexts.make(for: request, filtering: nil, for: viewer)
        var json = JSONWriter(capacity: 2048 * (1 + listed.count))
        json.statuses(listed, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func post(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
        var draft = try StatusDraft(input, viewer)
        draft.idempotencyKey = try Self.key(request)
        if let time = try input.scheduledAt() { return try await schedule(draft, at: time, request, viewer) }
        let status = try await publishing.posting(on: try contexts.baseURL.host(for: request)).post(
            draft, by: viewer.account)
        return try await response(for: status, to: request, viewer: viewer)
    }

    private func schedule(
        _ draft: StatusDraft, at time: Int64, _ request: Request, _ viewer: Viewer
    ) async throws -> Response {
        switch try await publishing.scheduling(on: try contexts.baseURL.host(for: request)).schedule(
            draft, at: time, by: viewer.account)
        {
        case .scheduled(let scheduled): return Response(scheduled, try contexts.make(for: request))
        case .published(let status): return try await response(for: status, to: request, viewer: viewer)
        }
    }

    @Sendable func edit(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
        let old = try await status(context, for: viewer)
        guard old.account.id == viewer.account.id else { throw FeedError.notFound }
        let draft = try StatusDraft(input, viewer, editing: old)
        let posting = publishing.posting(on: try contexts.baseURL.host(for: request))
        return try await response(
            for: try await posting.edit(old.id, to: draft, by: viewer.account), to: request, viewer: viewer)
    }

    /// Responds with the status and its source text, so that clients can delete and redraft.
    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        guard let status = try await statuses.delete(id: try context.id(), by: viewer.account.id) else {
            throw FeedError.notFound
        }
        return try await response(for: status, to: request, viewer: viewer) { $0.field("text", status.text) }
    }

    @Sendable func context(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        guard let thread = try await statuses.context(of: try context.id(), for: viewer?.account.id)
        else {
            throw FeedError.notFound
        }
        let entities = try await contexts.make(for: request, filtering: .thread, for: viewer)
        var json = JSONWriter(capacity: 16 * 1024)
        json.context(thread, entities, viewer: viewer)
        return Response(json: json)
    }

    @Sendable func history(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        guard let history = try await edits.history(of: try context.id(), for: viewer?.account.id)
        else {
            throw FeedError.notFound
        }
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 8 * 1024)
        json.array { for edit in history.edits { $0.edit(edit, of: history.status, entities) } }
        return Response(json: json)
    }

    /// The text as the author wrote it, for editing.
    @Sendable func source(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let status = try await status(context, for: viewer)
        var json = JSONWriter()
        json.object {
            $0.field("id", id: status.id)
            $0.field("text", status.text)
            $0.field("spoiler_text", status.spoilerText)
        }
        return Response(json: json)
    }

    private func status(_ context: RequestContext, for viewer: Viewer?) async throws -> Status {
        guard let status = try await statuses.status(id: try context.id(), for: viewer?.account.id)
        else {
            throw FeedError.notFound
        }
        return status
    }

    private static func key(_ request: Request) throws(FeedError) -> String? {
        guard let key = HTTPField.Name("Idempotency-Key").flatMap({ request.headers[$0] }), !key.isEmpty else {
            return nil
        }
        guard key.utf8.count <= 200 else { throw .malformed("The Idempotency-Key is longer than 200 bytes") }
        return key
    }

    /// - Parameter filtered: The place where the app shows the status; `nil` if it is unknown.
    private func response(
        for status: Status, to request: Request, viewer: Viewer?, filtering filtered: Filter.Context? = nil,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> Response {
        let entities = try await contexts.make(for: request, filtering: filtered, for: viewer)
        var json = JSONWriter(capacity: 2048)
        json.status(status, entities, viewer: viewer, more)
        return Response(json: json)
    }
}

/// Posts and schedules statuses within the current limits.
struct StatusPublishing: Sendable {
    let accounts: AccountStore
    let statuses: StatusStore
    let schedules: ScheduledStatusStore
    let settings: ReloadableSettings
    let clock: WallClock

    /// - Parameter host: The host of this server, which mentions may contain.
    func posting(on host: String?) -> StatusPosting {
        StatusPosting(accounts: accounts, statuses: statuses, limits: settings.limits, host: host)
    }

    /// - Parameter host: The host of this server, which mentions may contain.
    func scheduling(on host: String?) -> ScheduledStatusPublishing {
        ScheduledStatusPublishing(accounts: accounts, schedules: schedules, posting: posting(on: host), clock: clock)
    }
}

extension StatusDraft {
    /// Reads the parameters of a new or edited status.
    /// - Parameter old: The edited status; its language and visibility are kept unless they are sent. As in Mastodon, its
    ///   files, its poll, its warning and its sensitivity are not: otherwise what had a warning would stay sensitive.
    init(_ input: RequestParameters, _ viewer: Viewer, editing old: Status? = nil) throws(FeedError) {
        // It would be silently ignored.
        if old != nil, try input.scheduledAt() != nil { throw .invalid("An edit cannot be scheduled") }
        self.init(text: try input.one("status") ?? "")
        spoilerText = try input.one("spoiler_text") ?? ""
        sensitive = input.flag("sensitive") ?? (old == nil && viewer.account.defaultSensitive)
        useWarningAsText()
        language = input.language ?? old?.language ?? viewer.account.defaultLanguage
        source = viewer.application
        sourceWebsite = viewer.website
        mediaIDs = try input.mediaIDs()
        mediaChanges = try MediaChanges.changes(input)
        poll = try PollDraft(input)
        inReplyToID = try input.id(.inReplyToID)
        visibility = try Visibility(input) ?? old?.visibility ?? viewer.account.defaultVisibility
    }
}

extension RequestParameters {
    /// The language of a status; `nil` if it is missing or, as in Mastodon, if it is no language tag.
    var language: String? { self["language"].flatMap { LanguageTag.isValid($0) ? $0 : nil } }

    /// Reads `scheduled_at`; `nil` when it is missing or empty.
    /// - Parameter zone: The time zone of a time without an offset.
    /// - Returns: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid` for anything but an ISO 8601 time.
    func scheduledAt(in zone: PageTimeZone = .utc) throws(FeedError) -> Int64? {
        guard let text = try one("scheduled_at"), !text.isEmpty else { return nil }
        guard let time = ISO8601.milliseconds(written: text, zone: zone.offset(atLocal:)) else {
            throw .invalid("Scheduled at must be a time such as 2026-12-24T18:00:00Z")
        }
        return time
    }
}

extension Visibility {
    /// Reads `visibility`; `nil` when it is missing or empty.
    init?(_ input: RequestParameters) throws(FeedError) {
        guard let word = try input.one("visibility"), !word.isEmpty else { return nil }
        guard let visibility = Visibility(apiName: word) else {
            throw .invalid("Visibility is not included in the list")
        }
        self = visibility
    }
}

extension MediaChanges {
    /// Reads `media_attributes`, with which an edit changes the descriptions and focal points of attached files.
    static func changes(_ input: RequestParameters) throws(FeedError) -> [Int64: MediaChanges] {
        var changes: [Int64: MediaChanges] = [:]
        for attributes in try input.objects("media_attributes") ?? [] {
            guard let text = attributes["id"], text.isDigits, let id = Int64(text) else { continue }
            var change = MediaChanges()
            change.description = attributes["description"]
            if let focus = attributes["focus"], !focus.isEmpty { change.focus = try MediaFocus(parsing: focus) }
            changes[id] = change
        }
        return changes
    }
}
