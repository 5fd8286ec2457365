import FeedAPI
import FeedCore

/// Polls: read, vote. They are posted and edited with their statuses.
struct PollController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/polls/:id", .optional(.readStatuses), use: show)
        endpoints.post("/api/v1/polls/:id/votes", .account(.writeStatuses), use: vote)
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let status = try await services.stores.statuses.status(id: try context.id(), for: viewer?.account.id)
        return try response(for: status, request, viewer: viewer)
    }

    @Sendable func vote(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: services.limits.formBytes, context: context)
        let status = try await services.stores.polls.vote(
            try input.choices(), in: try context.id(), by: viewer.account.id)
        return try response(for: status, request, viewer: viewer)
    }

    private func response(for status: Status?, _ request: Request, viewer: Viewer?) throws -> Response {
        // A boost has no poll of its own.
        guard let status, status.boost == nil, let poll = status.poll else { throw FeedError.notFound }
        var json = JSONWriter(capacity: 512)
        json.poll(poll, of: status.account.id, try services.entities(for: request), viewer: viewer)
        return Response(json: json)
    }
}

extension InputValues {
    /// Reads `choices`, the numbers of the chosen options.
    /// - Throws: ``FeedError`` `.malformed` if they are missing, `.invalid` if one is not a number.
    fileprivate func choices() throws(FeedError) -> [Int] {
        var choices: [Int] = []
        for text in all(IntegerParameter.choices.rawValue) where !text.isEmpty {
            guard let number = Int(text) else { throw .invalid("The chosen vote option does not exist") }
            choices.append(number)
        }
        guard !choices.isEmpty else { throw .malformed("choices is missing") }
        return choices
    }
}
