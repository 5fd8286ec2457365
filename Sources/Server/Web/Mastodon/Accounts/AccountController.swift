import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// Endpoints for single accounts: the viewer's own account, and accounts by id or by name.
struct AccountController: Sendable {
    private static let headers: HTTPFields = [
        .cacheControl: "private, no-cache", .vary: "Authorization, Cookie, Accept-Encoding",
    ]

    let accounts: AccountStore
    let credentialAccounts: CredentialAccounts
    let pages: PageCache
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.page(Paths.verifyCredentials, .account(.profile), ownAccount)
        endpoints.get(Paths.lookup, .optional(.readAccounts), use: lookup)
        endpoints.get(Paths.accounts, .optional(.readAccounts), use: list)
        endpoints.get(Paths.accounts + "/:id", .optional(.readAccounts), use: show)
        endpoints.get(Paths.accounts + "/:id/identity_proofs", .account(nil), use: identityProofs)
    }

    /// The viewer's own account. Its counts, its profile and its follow requests affect the page.
    private var ownAccount: CachedPageResponse {
        CachedPageResponse(
            cache: pages, type: "application/json; charset=utf-8", headers: Self.headers,
            key: { [address = contexts.baseURL] in try PageKey($0, address, viewer: try $1.require().account.id) },
            build: { request, context in
                let viewer = try context.require().account
                var dependencies = CacheInvalidation()
                (dependencies.viewer, dependencies.accounts) = (viewer.id, [viewer.id])
                let account = try await accounts.account(id: viewer.id) ?? viewer
                let json = try await credentialAccounts.json(account, to: request)
                return (CachedPage(body: ByteBuffer(bytes: json.bytes), link: nil), dependencies)
            })
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        return try response(for: try await account(context), request)
    }

    /// Always an empty list, as in Mastodon, which has removed the feature.
    @Sendable func identityProofs(_ request: Request, _ context: RequestContext) async throws -> Response {
        _ = try await account(context)
        var json = JSONWriter(capacity: 2)
        json.array { _ in }
        return Response(json: json)
    }

    private func account(_ context: RequestContext) async throws -> Account {
        let account = try await accounts.account(id: try context.id())
        guard let account, account.suspendedAt == nil else { throw FeedError.notFound }
        return account
    }

    /// Several accounts by id; unknown ids are omitted.
    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let ids = try request.query.ids(upTo: settings.limits.idsMaximum)
        let entities = try contexts.make(for: request)
        let accounts = try await accounts.accounts(ids: ids)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count))
        json.array { for account in accounts { $0.account(account, entities) } }
        return Response(json: json)
    }

    /// An account by name: `user` or `user@this.host`.
    @Sendable func lookup(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let handle = try AccountHandle(request.query["acct"] ?? ""),
            handle.isLocal(to: try contexts.baseURL.host(for: request))
        else { throw FeedError.notFound }
        let account = try await accounts.account(named: handle.name)
        guard let account, account.suspendedAt == nil else { throw FeedError.notFound }
        return try response(for: account, request)
    }

    private func response(for account: Account, _ request: Request) throws -> Response {
        var json = JSONWriter()
        json.account(account, try contexts.make(for: request))
        return Response(json: json)
    }
}
