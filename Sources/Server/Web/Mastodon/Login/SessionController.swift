import FeedAPI
import FeedCore
import FeedStore

/// The logins and the password of the viewer, as in GoToSocial: `/api/v1/tokens` and `/api/v1/user/password_change`.
struct SessionController: Sendable {
    /// The default and maximum number of logins per page, as in GoToSocial.
    private static let pageDefault = 20
    private static let pageMaximum = 80

    let tokens: TokenStore
    let passwordChange: PasswordChanging
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.tokens, .account(.readAccounts), use: list)
        endpoints.get(Paths.tokens + "/:id", .account(.readAccounts), use: show)
        endpoints.post(Paths.tokens + "/:id/invalidate", .account(.writeAccounts), use: end)
        endpoints.post(Paths.passwordChange, .account(.writeAccounts), use: changePassword)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination(
            request.query, limits: settings.limits, standard: Self.pageDefault, maximum: Self.pageMaximum)
        let fetched = try await tokens.list(accountID: viewer.account.id, page: page.fetchingOneExtra)
        let current = try await currentID(context)
        return Response(with: fetched, page: page, to: request, try contexts.make(for: request), id: \.id) {
            json, token, _ in json.token(token, isCurrent: token.id == current)
        }
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (token, current) = (try await token(context), try await currentID(context))
        return Self.response(with: token, isCurrent: token.id == current)
    }

    @Sendable func end(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (token, current) = (try await token(context), try await currentID(context))
        // Another request may have ended it in the meantime.
        guard try await tokens.revoke(id: token.id) else { throw FeedError.notFound }
        return Self.response(with: token, isCurrent: token.id == current)
    }

    /// Ends all other logins; the token of the request remains valid.
    @Sendable func changePassword(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard let old = try input.one("old_password"), !old.isEmpty else {
            throw FeedError.invalid("Old password can't be blank")
        }
        let new = try input.one("new_password") ?? ""
        if let error = RegistrationForm.passwordError(new, settings.limits) {
            throw FeedError.invalid("New password " + error.message)
        }
        guard old != new, let token = context.token else { throw FeedError.invalid("New password is the old one") }
        try await passwordChange.change(
            of: viewer.account, from: old, to: new, address: context.address, keeping: token)
        return .emptyObject
    }

    private func token(_ context: RequestContext) async throws -> AccessToken {
        try await tokens.token(try context.id(), of: try context.require().account.id)
    }

    /// The id of the token of the request.
    private func currentID(_ context: RequestContext) async throws -> Int64? {
        guard let secret = context.token else { return nil }
        return try await tokens.id(hash: Secret.hash(secret))
    }

    private static func response(with token: AccessToken, isCurrent: Bool) -> Response {
        var json = JSONWriter(capacity: 512)
        json.token(token, isCurrent: isCurrent)
        return Response(json: json)
    }
}

extension JSONWriter {
    /// Writes a TokenInfo entity of GoToSocial. It has no `last_used`, because the use of logins is not recorded.
    /// - Parameter isCurrent: Whether it is the token of the request. GoToSocial does not say so.
    fileprivate mutating func token(_ token: AccessToken, isCurrent: Bool) {
        object {
            $0.field("id", id: token.id)
            $0.field("created_at", time: token.createdAt)
            $0.field("scope", token.scopes.formatted)
            $0.field("current", isCurrent)
            $0.key("application")
            $0.object {
                $0.field("name", token.application)
                $0.field("website", token.website)
            }
        }
    }
}
