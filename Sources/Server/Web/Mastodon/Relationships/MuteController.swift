import FeedAPI
import FeedCore
import FeedStore

/// Muting and unmuting.
struct MuteController: Sendable {
    let mutes: MuteStore
    let relationships: Relationships
    let contexts: EntityContexts
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/mutes", .account(.readMutes), use: list)
        endpoints.post(Paths.accounts + "/:id/mute", .account(.writeMutes), use: mute)
        endpoints.post(Paths.accounts + "/:id/unmute", .account(.writeMutes), use: unmute)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination.list(request.query, limits: settings.limits)
        let fetched = try await mutes.mutes(of: viewer.account.id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.account.id) {
            json, muted, entities in
            json.account(muted.account, entities) { $0.field("mute_expires_at", time: muted.mute.expiresAt) }
        }
    }

    @Sendable func mute(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let target = try context.id()
        try await mutes.mute(target, by: viewer.account.id, try Mute(input, now: clock.now()))
        return try await relationships.response(of: viewer, to: target)
    }

    @Sendable func unmute(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await relationships.change(context) { viewer, target in
            try await mutes.unmute(target, by: viewer)
        }
    }
}

extension Mute {
    /// The maximum duration of a mute in seconds: a hundred years.
    private static let maximumDuration: Int64 = 3_153_600_000

    /// Reads the parameters of a mute.
    /// - Throws: ``FeedError`` `.invalid`.
    init(_ input: RequestParameters, now: Int64) throws(FeedError) {
        let seconds =
            try input.integer(
                .duration, in: 0...Self.maximumDuration, "Duration must be a number of seconds, or 0 for no expiry")
            ?? 0
        self.init(
            hidesNotifications: input.flag("notifications") ?? true,
            expiresAt: seconds == 0 ? nil : now + seconds * 1000)
    }
}
