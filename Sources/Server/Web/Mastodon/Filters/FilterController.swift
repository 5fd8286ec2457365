import FeedAPI
import FeedCore
import FeedStore

/// The viewer's filters.
struct FilterController: Sendable {
    /// Four for each keyword, and those of the filter itself.
    static let maximumValues = 4 * FilterRule.maximumKeywords + 100

    let filters: FilterStore
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v2/filters", .account(.readFilters), use: list)
        endpoints.post("/api/v2/filters", .account(.writeFilters), use: create)
        endpoints.get("/api/v2/filters/:id", .account(.readFilters), use: show)
        endpoints.put("/api/v2/filters/:id", .account(.writeFilters), use: update)
        endpoints.delete("/api/v2/filters/:id", .account(.writeFilters), use: delete)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let filters = try await filters.filters(of: viewer.account.id)
        var json = JSONWriter(capacity: 512 * (1 + filters.count))
        json.array { for filter in filters { $0.filter(filter) } }
        return Response(json: json)
    }

    @Sendable func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let draft = try await draft(request, context)
        return Response(filter: try await filters.create(draft, by: viewer.account.id))
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return Response(filter: try await filters.filter(context.id(), of: viewer.account.id))
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let draft = try await draft(request, context)
        return Response(
            filter: try await filters.update(
                try context.id(), of: viewer.account.id, draft, hasOnly: nil))
    }

    private func draft(_ request: Request, _ context: RequestContext) async throws -> FilterDraft {
        let input = try await request.input(
            upTo: settings.limits.longFormBytes, count: Self.maximumValues, context: context)
        return try FilterDraft(input, at: clock.now())
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await filters.delete(try context.id(), of: viewer.account.id)
        return .emptyObject
    }
}

extension Response {
    fileprivate init(filter: Filter) {
        var json = JSONWriter(capacity: 512)
        json.filter(filter)
        self.init(json: json)
    }
}

extension FilterDraft {
    /// The maximum time until a filter expires, in seconds: a hundred years.
    private static let maximumDuration: Int64 = 3_153_600_000

    /// Reads the parameters of `/api/v2/filters`.
    /// - Parameter now: Milliseconds since 1970.
    init(_ input: RequestParameters, at now: Int64) throws(FeedError) {
        self.init()
        title = try input.one("title")
        try readContexts(input)
        try readExpiry(input, at: now)
        if let word = try input.one("filter_action"), !word.isEmpty {
            guard let action = Filter.Action(rawValue: word) else {
                throw .invalid("Filter action is not included in the list")
            }
            self.action = action
        }
        for members in try input.objects("keywords_attributes") ?? [] { keywords.append(try Keyword(members)) }
    }

    /// Reads the parameters of `/api/v1/filters`.
    /// - Parameters:
    ///   - keyword: The changed keyword; `nil` for a new filter, whose title is its keyword.
    ///   - now: Milliseconds since 1970.
    init(old input: RequestParameters, keyword: Int64?, at now: Int64) throws(FeedError) {
        self.init()
        let phrase = try input.one("phrase")
        if keyword == nil { title = phrase.map { String($0.prefix(FilterRule.titleCharacters)) } ?? "" }
        try readContexts(input)
        try readExpiry(input, at: now)
        action = input.flag("irreversible").map { $0 ? .hide : .warn }
        keywords = [Keyword(id: keyword, text: phrase, isWholeWord: input.flag("whole_word"))]
    }

    private mutating func readContexts(_ input: RequestParameters) throws(FeedError) {
        let words = input.all("context").filter { !$0.isEmpty }
        guard !words.isEmpty else {
            contexts = input.isEmptyList("context") ? [] : nil
            return
        }
        let filterContexts = words.compactMap(Filter.Context.init)
        guard filterContexts.count == words.count else { throw .invalid(FilterRule.invalidContext) }
        contexts = filterContexts
    }

    private mutating func readExpiry(_ input: RequestParameters, at now: Int64) throws(FeedError) {
        let name = IntegerParameter.expiresIn.rawValue
        guard input[name] != nil || input.nulls.contains(name) || input.hasMembers(of: name) else { return }
        let seconds = try input.integer(
            .expiresIn, in: 0...Self.maximumDuration, "Expires in must be a number of seconds, or 0 for no expiry")
        expiry = seconds.flatMap { $0 == 0 ? nil : .at(now + $0 * 1000) } ?? .never
    }
}

extension FilterDraft.Keyword {
    /// Reads the parameters of `/api/v2/filters/:id/keywords`.
    init(_ input: RequestParameters) throws(FeedError) {
        self.init(text: try input.one("keyword"), isWholeWord: input.flag("whole_word"))
    }

    /// - Parameter members: An element of `keywords_attributes`.
    fileprivate init(_ members: [String: String]) throws(FeedError) {
        func flag(_ name: String) -> Bool? { members[name].map(RequestParameters.isTrue) }
        self.init(text: members["keyword"], isWholeWord: flag("whole_word"), isRemoved: flag("_destroy") ?? false)
        guard let text = members["id"], !text.isEmpty else { return }
        guard text.isDigits else { throw .malformed("The id of a keyword is not an id") }
        id = Int64(text) ?? .max
    }
}

/// The viewer's filters as version 1 of the API shows them: each keyword is a filter of its own, with the id of the
/// keyword.
struct FilterV1Controller: Sendable {
    let filters: FilterStore
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/filters", .account(.readFilters), use: list)
        endpoints.post("/api/v1/filters", .account(.writeFilters), use: create)
        endpoints.get("/api/v1/filters/:id", .account(.readFilters), use: show)
        endpoints.put("/api/v1/filters/:id", .account(.writeFilters), use: update)
        endpoints.delete("/api/v1/filters/:id", .account(.writeFilters), use: delete)
    }

    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let filters = try await filters.filters(of: try context.require().account.id)
        var json = JSONWriter(capacity: 512 * (1 + filters.count))
        json.array {
            for filter in filters {
                for keyword in filter.keywords { $0.oldFilter(filter, keyword) }
            }
        }
        return Response(json: json)
    }

    @Sendable func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let draft = try FilterDraft(old: input, keyword: nil, at: clock.now())
        let filter = try await filters.create(draft, by: viewer.account.id)
        return try Self.response(for: filter, filter.keywords.first)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let entry = try await filters.keyword(try context.id(), of: try context.require().account.id)
        return try Self.response(for: entry.filter, entry.keyword)
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (account, id) = (try context.require().account.id, try context.id())
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let draft = try FilterDraft(old: input, keyword: id, at: clock.now())
        let current = try await filters.keyword(id, of: account).filter
        let filter = try await filters.update(current.id, of: account, draft, hasOnly: id)
        return try Self.response(for: filter, filter.keywords.first { $0.id == id })
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await filters.deleteKeyword(try context.id(), of: viewer.account.id, endsFilter: true)
        return .emptyObject
    }

    private static func response(for filter: Filter, _ keyword: Filter.Keyword?) throws(FeedError) -> Response {
        guard let keyword else { throw .notFound }
        var json = JSONWriter(capacity: 256)
        json.oldFilter(filter, keyword)
        return Response(json: json)
    }
}
