import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The description of this server: instance and NodeInfo.
struct InstanceController: Sendable {
    /// A day in milliseconds.
    private static let day: Int64 = 86_400_000

    private static let headers: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept-Encoding"]

    let accounts: AccountStore
    /// The statistics, by the number of days since 1970.
    let countsByDay: ChangeLogCache<Int64, InstanceCounts>
    let pages: PageCache
    let registration: Registration
    let acceptsMedia: Bool
    let version: String
    let contexts: EntityContexts
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.page(Paths.instance, .open, page { $0.instanceV1($1) })
        endpoints.page("/api/v2/instance", .open, page { $0.instanceV2($1) })
        endpoints.page("/nodeinfo/2.0", .open, page { $0.nodeinfo($1) })
        endpoints.immediate("/api/v1/instance/rules", .open, rules)
        endpoints.immediate("/api/v1/instance/extended_description", .open, emptyPage)
        endpoints.immediate("/api/v1/instance/privacy_policy", .open, emptyPage)
        endpoints.immediate("/api/v1/instance/translation_languages", .open) { [response = Response.emptyObject] _, _ in
            response
        }
        endpoints.immediate("/.well-known/nodeinfo", .open, nodeInfoLinks)
    }

    @Sendable private func rules(_ request: Request, _ context: RequestContext) throws -> Response {
        var json = JSONWriter()
        json.rules(settings.site.rules)
        return Response(json: json)
    }

    /// An empty extended description or privacy policy, which apps handle better than a 404.
    @Sendable private func emptyPage(_ request: Request, _ context: RequestContext) throws -> Response {
        var json = JSONWriter()
        json.object {
            $0.field("updated_at", time: 0)
            $0.field("content", "")
        }
        return Response(json: json)
    }

    @Sendable private func nodeInfoLinks(_ request: Request, _ context: RequestContext) throws -> Response {
        let base = try contexts.baseURL.text(for: request)
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

    /// A description of this server, which is valid until anything changes, the settings change or a day ends.
    private func page(
        write: @escaping @Sendable (inout JSONWriter, InstanceDescription) -> Void
    ) -> CachedPageResponse {
        CachedPageResponse(
            cache: pages, type: "application/json; charset=utf-8", headers: Self.headers,
            key: { request, _ in
                try PageKey(request, contexts.baseURL, edition: "\(settings.revision) \(today)")
            },
            build: { request, _ in
                var json = JSONWriter(capacity: 4096)
                write(&json, try await description(base: try contexts.baseURL.text(for: request)))
                return (CachedPage(body: ByteBuffer(bytes: json.bytes), link: nil), .anything)
            })
    }

    /// The number of days since 1970.
    private var today: Int64 { clock.now() / Self.day }

    private func description(base: String) async throws -> InstanceDescription {
        let site = settings.site
        return InstanceDescription(
            entities: contexts.make(base: base), site: site, contact: try await contact(of: site),
            serverVersion: version, counts: try await counts(),
            registration: registration.mode,
            limits: settings.limits, media: acceptsMedia ? settings.limits.media : nil)
    }

    /// The account that visitors may contact, if it exists.
    private func contact(of site: SiteSettings) async throws -> Account? {
        guard let name = site.contactAccount else { return nil }
        let account = try await accounts.account(named: name)
        return account?.suspendedAt == nil ? account : nil
    }

    private func counts() async throws -> InstanceCounts {
        let (today, day) = (today, Self.day)
        return try await countsByDay.value(for: today) { [accounts] in
            let counts = try await accounts.counts()
            let instanceCounts = InstanceCounts(
                accounts: counts.accounts, statuses: counts.statuses,
                activeMonth: try await accounts.countActive(since: (today - 30) * day),
                activeHalfYear: try await accounts.countActive(since: (today - 180) * day))
            return (instanceCounts, .anything)
        }
    }
}

/// Empty lists for features that this server does not have. Apps request them at startup and fail on a 404.
/// Docs/mastodon-api.md gives the reason for each.
struct EmptyLists: Sendable {
    private static let lists: [(path: String, access: AccessRule)] = [
        ("/api/v1/announcements", .account(nil)),
        ("/api/v1/domain_blocks", .account(.readBlocks)),
        ("/api/v1/instance/activity", .open),
        ("/api/v1/instance/domain_blocks", .open),
        ("/api/v1/instance/languages", .open),
        ("/api/v1/instance/peers", .open),
        ("/api/v1/peers/search", .open),
        ("/api/v1/timelines/link", .optional(.readStatuses)),
        ("/api/v1/trends/links", .open),
    ]

    func addEndpoints(to endpoints: Endpoints) {
        var json = JSONWriter(capacity: 2)
        json.array { _ in }
        let response = Response(json: json)
        for list in Self.lists { endpoints.immediate(list.path, list.access) { _, _ in response } }
    }
}
