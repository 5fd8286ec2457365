import FeedAPI
import FeedCore
import FeedStore

/// Polls: read, vote. They are posted and edited with their statuses.
struct PollController: Sendable {
    let polls: PollStore
    let statuses: StatusStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.polls + "/:id", .optional(.readStatuses), use: show)
        endpoints.post(Paths.polls + "/:id/votes", .account(.writeStatuses), use: vote)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        let status = try await statuses.status(id: try context.id(), for: viewer?.account.id)
        return try response(for: status, request, viewer: viewer)
    }

    @Sendable func vote(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let status = try await polls.vote(
            try input.choices(), in: try context.id(), by: viewer.account.id)
        return try response(for: status, request, viewer: viewer)
    }

    private func response(for status: Status?, _ request: Request, viewer: Viewer?) throws -> Response {
        // A boost has no poll of its own.
        guard let status, status.boost == nil, let poll = status.poll else { throw FeedError.notFound }
        var json = JSONWriter(capacity: 512)
        let marks = viewer.map { ViewerMarks(on: status, of: $0.account.id, []) }
        json.poll(poll, of: status.account.id, try contexts.make(for: request), marks)
        return Response(json: json)
    }
}

extension RequestParameters {
    /// Reads `choices`, the numbers of the chosen options.
    /// - Throws: ``FeedError`` `.malformed` if they are missing, `.invalid` if one is not a number.
    func choices() throws(FeedError) -> [Int] {
        var choices: [Int] = []
        for text in all(IntegerParameter.choices.rawValue) where !text.isEmpty {
            guard let number = Int(text) else { throw .invalid("The chosen vote option does not exist") }
            choices.append(number)
        }
        guard !choices.isEmpty else { throw .malformed("choices is missing") }
        return choices
    }
}

extension PollDraft {
    /// Reads `poll` of a new or edited status: an object in JSON, `poll[options][]` and others in a form; `nil` if it is
    /// missing.
    /// - Throws: ``FeedError`` `.invalid` if the duration is not a number. ``check()`` checks everything else.
    init?(_ input: RequestParameters) throws(FeedError) {
        guard input.hasMembers(of: "poll") || input.emptyLists.contains("poll[options]") else { return nil }
        self.init(
            options: input.all("poll[options]"),
            seconds: try input.integer(.pollSeconds, in: .min ... .max, "Expires in must be a number of seconds"),
            isMultiple: input.flag("poll[multiple]") ?? false,
            hidesTotals: input.flag("poll[hide_totals]") ?? false)
    }
}
