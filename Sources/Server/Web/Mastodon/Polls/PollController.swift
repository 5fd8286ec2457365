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

extension JSONWriter {
    /// Writes the field `poll` of a status.
    mutating func poll(of status: Status, _ entities: EntityContext, _ marks: ViewerMarks?) {
        key("poll")
        guard let poll = status.poll else { return null() }
        self.poll(poll, of: status.account.id, entities, marks)
    }

    /// Writes a Poll entity.
    /// - Parameters:
    ///   - author: The author of the poll, who counts as having voted, as in Mastodon.
    ///   - marks: The votes that are included, instead of those that the poll contains; `nil` omits them.
    mutating func poll(_ poll: Poll, of author: Int64, _ entities: EntityContext, _ marks: ViewerMarks?) {
        object {
            $0.field("id", id: poll.id)
            $0.field("expires_at", time: poll.expiresAt)
            $0.field("expired", poll.isExpired)
            $0.field("multiple", poll.isMultiple)
            $0.field("votes_count", poll.votesCount)
            $0.field("voters_count", poll.votersCount)
            if let marks { $0.ownVotes(marks, isAuthor: marks.viewer == author) } else { $0.gap() }
            $0.array("options") { for option in poll.options { $0.option(option, showsVotes: poll.showsTotals) } }
            $0.emojis(in: poll.options.map(\.title), entities)
        }
    }

    /// Writes the fields of a Poll entity that depend on the viewer.
    mutating func ownVotes(_ own: ViewerMarks, isAuthor: Bool) {
        field("voted", isAuthor || !own.marks.votes.isEmpty)
        array("own_votes") { json in for number in own.marks.votes { json.int(number) } }
    }

    private mutating func option(_ option: Poll.Option, showsVotes: Bool) {
        object {
            $0.field("title", option.title)
            $0.key("votes_count")
            if showsVotes { $0.int(option.votesCount) } else { $0.null() }
        }
    }

    /// Writes the field `poll` of a StatusEdit.
    mutating func poll(of edit: StatusEdit) {
        key("poll")
        guard !edit.pollOptions.isEmpty else { return null() }
        object {
            $0.array("options") { for title in edit.pollOptions { $0.object { $0.field("title", title) } } }
        }
    }
}
