import FeedAPI
import FeedCore
import Hummingbird
import NIOCore

/// The description of this server: instance, NodeInfo and health endpoints.
struct InstanceController: Sendable {
    private static let healthy = "OK"
    /// A day in milliseconds.
    private static let day: Int64 = 86_400_000

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.instance, .open, use: instanceV1)
        endpoints.get("/api/v2/instance", .open, use: instanceV2)
        endpoints.get("/api/v1/instance/rules", .open, use: rules)
        endpoints.get("/api/v1/instance/extended_description", .open, use: emptyPage)
        endpoints.get("/api/v1/instance/privacy_policy", .open, use: emptyPage)
        endpoints.get("/api/v1/instance/translation_languages", .open) { _, _ in
            var json = JSONWriter()
            json.object { _ in }
            return Response(json: json)
        }
        endpoints.get("/.well-known/nodeinfo", .open, use: nodeInfoLinks)
        endpoints.get("/nodeinfo/2.0", .open, use: nodeInfo)
        endpoints.get(Paths.health, .open) { _, context in
            context.notes.content = .constant(ByteBuffer(string: Self.healthy), tag: nil)
            return Self.healthy
        }
    }

    @Sendable func instanceV1(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await respond(to: request, context) { $0.instanceV1($1) }
    }

    @Sendable func instanceV2(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await respond(to: request, context) { $0.instanceV2($1) }
    }

    @Sendable func rules(_ request: Request, _ context: FeedContext) async throws -> Response {
        var json = JSONWriter()
        json.rules(services.site.description.rules)
        return Response(json: json)
    }

    /// An empty extended description or privacy policy, which apps handle better than a 404.
    @Sendable func emptyPage(_ request: Request, _ context: FeedContext) async throws -> Response {
        var json = JSONWriter()
        json.object {
            $0.field("updated_at", time: 0)
            $0.field("content", "")
        }
        return Response(json: json)
    }

    @Sendable func nodeInfoLinks(_ request: Request, _ context: FeedContext) async throws -> Response {
        let base = try services.site.baseURL.text(for: request)
        var json = JSONWriter()
        json.object {
            $0.array("links") {
                $0.object {
                    $0.field("rel", "http://nodeinfo.diaspora.software/ns/schema/2.0")
                    $0.field("href", base + "/nodeinfo/2.0")
                }
            }
        }
        return Response(json: json)
    }

    @Sendable func nodeInfo(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await respond(to: request, context) { $0.nodeinfo($1) }
    }

    /// Responds with a description of this server, which other requests may share until anything changes.
    private func respond(
        to request: Request, _ context: FeedContext, write: (inout JSONWriter, InstanceDescription) -> Void
    ) async throws -> Response {
        // Before the description is read: a change in between affects it.
        let (state, day) = (services.log.state, today)
        var json = JSONWriter(capacity: 4096)
        write(&json, try await description(request))
        let bytes = ByteBuffer(bytes: json.bytes)
        let isCurrent = { @Sendable [self] in services.log.state == state && today == day }
        context.notes.content = ReusableContent(
            tags: [], cost: bytes.readableBytes, isCurrent: isCurrent, body: { isCurrent() ? bytes : nil })
        return Response(json: json)
    }

    /// The number of days since 1970.
    private var today: Int64 { services.clock.now() / Self.day }

    private func description(_ request: Request) async throws -> InstanceDescription {
        let site = services.site.description
        return InstanceDescription(
            entities: try services.entities(for: request), site: site, contact: try await contact(of: site),
            serverVersion: services.site.version, counts: try await counts(),
            registration: services.login.registration.mode,
            limits: services.limits, media: services.processing == nil ? nil : services.limits.media)
    }

    /// The account that visitors may contact, if it exists.
    private func contact(of site: SiteDescription) async throws -> Account? {
        guard let name = site.contactAccount else { return nil }
        let account = try await services.stores.accounts.account(named: name)
        return account?.suspendedAt == nil ? account : nil
    }

    private func counts() async throws -> InstanceCounts {
        let (today, day) = (today, Self.day)
        return try await services.counts.value(for: today) { [accounts = services.stores.accounts] in
            let counts = try await accounts.counts()
            let found = InstanceCounts(
                accounts: counts.accounts, statuses: counts.statuses,
                activeMonth: try await accounts.countActive(since: (today - 30) * day),
                activeHalfYear: try await accounts.countActive(since: (today - 180) * day))
            return (found, .anything)
        }
    }
}
