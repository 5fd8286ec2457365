import FeedAPI
import FeedCore
import FeedStore

/// Accounts to follow: suggestions, and the directory of all accounts that want to be found.
struct SuggestionController: Sendable {
    private static let maximum = 80

    let suggestions: SuggestionStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/suggestions", .account(.readAccounts), use: accounts)
        endpoints.get("/api/v2/suggestions", .account(.readAccounts), use: suggestions)
        endpoints.delete("/api/v1/suggestions/:id", .account(.writeAccounts), use: dismiss)
        endpoints.get("/api/v1/directory", .optional(.readAccounts), use: directory)
    }

    /// The older form, without the source of each suggestion.
    @Sendable func accounts(_ request: Request, _ context: RequestContext) async throws -> Response {
        try response(with: try await find(request, context).map(\.account), to: request)
    }

    @Sendable func suggestions(_ request: Request, _ context: RequestContext) async throws -> Response {
        let suggestions = try await find(request, context)
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 1024 * (1 + suggestions.count))
        json.array { for suggestion in suggestions { $0.suggestion(suggestion, entities) } }
        return Response(json: json)
    }

    @Sendable func dismiss(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await suggestions.dismiss(try context.id(), by: viewer.account.id)
        return .emptyObject
    }

    /// All accounts are local.
    @Sendable func directory(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try request.query
        let accounts = try await suggestions.directory(
            input["order"] == Directory.new.rawValue ? .new : .active, limit: limit(input),
            offset: input.count(.offset, standard: 0, maximum: Directory.maximumOffset, minimum: 0),
            for: context.viewer?.account.id)
        return try response(with: accounts, to: request)
    }

    private func find(_ request: Request, _ context: RequestContext) async throws -> [Suggestion] {
        let viewer = try context.require()
        return try await suggestions.suggestions(
            for: viewer.account.id, limit: limit(try request.query))
    }

    private func limit(_ input: RequestParameters) -> Int {
        input.count(.limit, standard: settings.limits.listDefault, maximum: Self.maximum)
    }

    private func response(with accounts: [Account], to request: Request) throws -> Response {
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count))
        json.array { for account in accounts { $0.account(account, entities) } }
        return Response(json: json)
    }
}

extension JSONWriter {
    /// Writes a Suggestion entity.
    fileprivate mutating func suggestion(_ suggestion: Suggestion, _ entities: EntityContext) {
        object {
            // The deprecated source is coarser.
            $0.field("source", suggestion.source == .friendsOfFriends ? "past_interactions" : "global")
            $0.array("sources") { $0.string(suggestion.source.rawValue) }
            $0.key("account")
            $0.account(suggestion.account, entities)
        }
    }
}
