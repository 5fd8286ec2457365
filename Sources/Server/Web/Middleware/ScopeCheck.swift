import FeedCore
import HTTPTypes
import Hummingbird

/// Holds every request to the API against the scope table.
struct ScopeCheck: RouterMiddleware {
    typealias Context = FeedContext

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        // What no route takes is answered behind this.
        if let endpoint = context.coreContext.endpointPath.value, context.isAPI {
            try Self.check(ScopeTable.rule(request.method, endpoint), context.caller)
        }
        return try await next(request, context)
    }

    private static func check(_ rule: ScopeTable.Rule?, _ caller: Caller) throws(FeedError) {
        guard let rule else { throw FeedError(.forbidden, "This action is not allowed") }
        switch (rule, caller) {
        case (.open, _), (.reader, .anonymous): return
        case (_, .anonymous), (_, .unknownToken): throw FeedError.unauthorized
        case (.account, .holder(.application)):
            throw FeedError(.invalid, "This method requires an authenticated user")
        case (_, .holder(let holder)):
            guard let scope = rule.scope, !holder.scopes.allows(scope) else { return }
            throw .outside(scope)
        }
    }
}

extension FeedError {
    /// A token does not allow what is asked.
    static func outside(_ scope: String) -> FeedError {
        FeedError(.forbidden, "This action is outside the authorized scopes", hint: "It needs the scope \(scope).")
    }
}
