import FeedAPI
import FeedCore
import HTTPTypes
import Hummingbird

/// Tokens for programs: `POST /oauth/token` and `POST /oauth/revoke` (RFC 6749, RFC 7009).
struct TokenController: Sendable {
    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.post("/oauth/token", use: token)
        router.post("/oauth/revoke", use: revoke)
    }

    @Sendable func token(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await request.input(limits: services.limits, context: context)
        let application = try await application(input, request)
        let scopes = try Self.scopes(input, of: application)
        let account: Account? =
            switch input["grant_type"] {
            case "password": try await login(input, context)
            case "client_credentials": nil
            default: throw Self.refusal("unsupported_grant_type", "The authorization grant type is not supported.")
            }
        let secret = try await services.tokens.create(for: account?.id, scopes: scopes, application: application)
        var response = Response(json: json(secret, scopes))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Answers the same for a token that is unknown: it is void already.
    @Sendable func revoke(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await request.input(limits: services.limits, context: context)
        // Who holds a token may give it back, also where the program has no secret of its own.
        if Services.bearer(request) != input["token"] { _ = try await application(input, request) }
        if let token = input["token"] { try await services.tokens.revoke(token) }
        var json = JSONWriter()
        json.object { _ in }
        return Response(json: json)
    }

    /// The program that asks, by form or by HTTP Basic.
    private func application(_ input: InputValues, _ request: Request) async throws -> ClientApplication {
        let basic = Services.basic(request)
        guard let id = basic?.username ?? input["client_id"], let secret = basic?.password ?? input["client_secret"],
            let application = try await services.applications.application(
                clientID: id, secretHash: AccessTokens.hash(secret))
        else {
            throw Self.refusal(
                "invalid_client", "Client authentication failed due to unknown client or wrong secret.",
                status: .unauthorized)
        }
        return application
    }

    private func login(_ input: InputValues, _ context: FeedContext) async throws -> Account {
        guard let username = input["username"], let password = input["password"] else {
            throw Self.refusal("invalid_request", "username and password are missing.")
        }
        do {
            return try await services.login.check(username: username, password: password, address: context.address)
        } catch let error as FeedError where error.kind == .unauthorized {
            throw Self.refusal("invalid_grant", error.message)
        }
    }

    private static func scopes(_ input: InputValues, of application: ClientApplication) throws -> Scopes {
        guard let text = input["scope"], !text.isEmpty else { return application.scopes }
        let scopes = try Scopes(parsing: text)
        guard scopes.words.allSatisfy(application.scopes.allows) else {
            throw refusal("invalid_scope", "The requested scope is invalid, unknown, or malformed.")
        }
        return scopes
    }

    private static func refusal(
        _ code: String, _ description: String, status: HTTPResponse.Status = .badRequest
    ) -> Problem {
        Problem(status: status, message: code, hint: description)
    }

    private func json(_ secret: String, _ scopes: Scopes) -> JSONWriter {
        var json = JSONWriter()
        json.object {
            $0.field("access_token", secret)
            $0.field("token_type", "Bearer")
            $0.field("scope", scopes.text)
            $0.field("created_at", Int(services.surroundings.now() / 1000))
        }
        return json
    }
}
