import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The change feed: the events of the streams, for clients that poll. An extension of the Mastodon API.
struct ChangesController: Sendable {
    private static let access = AccessRule.account(.read)

    let streams: StreamStore
    let log: RecentChanges
    let tokens: Authentication
    let contexts: EntityContexts
    /// Limits the database reads of a client that run at the same time.
    let reads: ConcurrencyLimiter
    /// Limits the requests of an account that wait for changes.
    private let waits = ConcurrencyLimiter(.waits)

    func addEndpoints(to endpoints: Endpoints) { endpoints.get(Paths.changes, Self.access, use: changes) }

    @Sendable func changes(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let query = try request.query
        var read = ReadState(
            account: viewer.account.id, cursor: try Self.cursor(query),
            limit: query.count(.limit, standard: StreamLimits.pageDefault, maximum: StreamLimits.pageMaximum),
            rows: StreamLimits.examinedRows)
        let seconds = query.count(.wait, standard: 0, maximum: StreamLimits.waitSeconds, minimum: 0)
        let page = try await page(&read, within: seconds, request, context)
        // Clients use the feed mainly to keep their home timeline up to date, so its filters apply.
        let entities = try await contexts.make(for: request, filtering: .home, for: viewer)
        return Self.response(page, entities, viewer, without: query["without"])
    }

    private static func cursor(_ query: RequestParameters) throws(FeedError) -> ChangeCursor? {
        guard let text = query["since"], !text.isEmpty else { return nil }
        return try ChangeCursor(text)
    }

    /// The state of reading changes for a request.
    private struct ReadState {
        let account: Int64
        var cursor: ChangeCursor?
        let limit: Int
        var rows: Int
    }

    /// Reads a page; as long as it is empty, reads it again whenever the log advances.
    /// - Parameter seconds: The time to wait. Without a position, there is nothing to wait for: the client wants to know
    ///   the present one.
    private func page(
        _ read: inout ReadState, within seconds: Int, _ request: Request, _ context: RequestContext
    ) async throws -> ChangeFeedPage {
        let deadline = ContinuousClock.now + .seconds(read.cursor == nil ? 0 : seconds)
        while true {
            // Before the page: a change in between ends the wait.
            let state = log.state
            let page = try await next(&read)
            let rest = deadline - ContinuousClock.now
            guard page.entries.isEmpty, !page.hasMore, read.rows > 0, rest > .zero else { return page }
            try await wait(while: state, atMost: rest, read.account, context)
            guard log.state != state else { return page }
            try await checkAccess(of: context)
        }
    }

    private func next(_ read: inout ReadState) async throws -> ChangeFeedPage {
        let page = try await reads.run(.account(read.account)) { [read] in
            try await streams.feed(
                since: read.cursor, limit: read.limit, maximumRows: read.rows, for: read.account)
        }
        read.rows -= page.examined
        read.cursor = ChangeCursor(epoch: page.position.epoch, sequence: page.position.sequence)
        return page
    }

    /// Suspends the request until the log advances or the client leaves. A timer of the event loop ends the wait.
    private func wait(
        while state: RecentChanges.State, atMost time: Duration, _ account: Int64, _ context: RequestContext
    ) async throws {
        let loop = context.channel.eventLoop
        try await waits.run(.account(account)) {
            var timer: Scheduled<Void>?
            await log.wait(while: state) { stop in
                timer = loop.scheduleTask(in: TimeAmount(time)) { stop() }
                context.onDisconnect(stop)
            }
            timer?.cancel()
        }
    }

    /// - Throws: ``FeedError`` if the token has been revoked or the account suspended during the wait.
    private func checkAccess(of context: RequestContext) async throws {
        guard let secret = context.token else { throw FeedError.unauthorized }
        try Self.access.check(try await tokens.holder(secret).map(Caller.holder) ?? .unknownToken)
    }

    /// - Parameter event: The event that comes without its status: clients that read timelines anyway need no new
    ///   statuses twice.
    private static func response(
        _ page: ChangeFeedPage, _ entities: EntityContext, _ viewer: Viewer, without event: String?
    ) -> Response {
        var json = JSONWriter(capacity: 256 + 2048 * page.entries.count)
        json.object {
            $0.field("position", page.position.formatted)
            $0.field("more", page.hasMore)
            $0.array("changes") {
                for entry in page.entries {
                    $0.change(entry, entities, viewer, withStatus: entry.event.rawValue != event)
                }
            }
        }
        return Response(json: json, headers: [.cacheControl: "private, no-store"])
    }
}

extension JSONWriter {
    fileprivate mutating func change(
        _ entry: ChangeFeedPage.Entry, _ entities: EntityContext, _ viewer: Viewer, withStatus: Bool
    ) {
        object {
            $0.field("position", entry.position.formatted)
            $0.field("event", entry.event.rawValue)
            $0.field("id", id: entry.id)
            $0.field("at", time: entry.at)
            $0.key("status")
            guard withStatus, let status = entry.status else { return $0.null() }
            $0.status(status, entities, viewer: viewer)
        }
    }
}
