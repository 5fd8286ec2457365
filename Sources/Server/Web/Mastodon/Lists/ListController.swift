import FeedAPI
import FeedCore
import FeedStore

/// The viewer's lists.
struct ListController: Sendable {
    let lists: ListStore
    let accounts: AccountStore
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.lists, .account(.readLists), use: all)
        endpoints.post(Paths.lists, .account(.writeLists), use: create)
        endpoints.get(Paths.lists + "/:id", .account(.readLists), use: show)
        endpoints.put(Paths.lists + "/:id", .account(.writeLists), use: update)
        endpoints.delete(Paths.lists + "/:id", .account(.writeLists), use: delete)
        endpoints.get(Paths.accounts + "/:id/lists", .account(.readLists), use: containing)
    }

    @Sendable func all(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        return Self.response(with: try await lists.lists(of: viewer.account.id))
    }

    /// The viewer's lists that contain the account.
    @Sendable func containing(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        guard let account = try await accounts.accounts(ids: [context.id()]).first else {
            throw FeedError.notFound
        }
        let lists = try await lists.lists(of: viewer.account.id, containing: account.id)
        return Self.response(with: lists)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        guard let list = try await lists.list(id, of: viewer.account.id) else {
            throw FeedError.notFound
        }
        return Self.response(with: list)
    }

    @Sendable func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let draft = try await draft(request, context)
        return Self.response(with: try await lists.create(draft, by: viewer.account.id))
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let draft = try await draft(request, context)
        return Self.response(with: try await lists.update(id, of: viewer.account.id, draft))
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        try await lists.delete(id, of: viewer.account.id)
        return .emptyObject
    }

    private func draft(_ request: Request, _ context: RequestContext) async throws -> ListDraft {
        try ListDraft(try await request.input(upTo: settings.limits.formBytes, context: context))
    }

    private static func response(with list: AccountList) -> Response {
        var json = JSONWriter(capacity: 256)
        json.list(list)
        return Response(json: json)
    }

    private static func response(with lists: [AccountList]) -> Response {
        var json = JSONWriter(capacity: 2 + 256 * lists.count)
        json.array { for list in lists { $0.list(list) } }
        return Response(json: json)
    }
}

extension ListDraft {
    /// Reads the properties of a list.
    /// - Throws: ``FeedError`` `.invalid`.
    init(_ input: RequestParameters) throws(FeedError) {
        self.init(title: try input.one("title"), isExclusive: input.flag("exclusive"))
        guard let policy = try input.one("replies_policy") else { return }
        repliesPolicy = AccountList.RepliesPolicy(rawValue: policy)
        guard repliesPolicy != nil else { throw .invalid("replies_policy must be none, list or followed") }
    }
}

extension JSONWriter {
    /// Writes a List entity.
    fileprivate mutating func list(_ list: AccountList) {
        object {
            $0.field("id", id: list.id)
            $0.field("title", list.title)
            $0.field("replies_policy", list.repliesPolicy.rawValue)
            $0.field("exclusive", list.isExclusive)
        }
    }
}

/// The members of the viewer's lists.
struct ListMemberController: Sendable {
    let lists: ListStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.lists + "/:id/accounts", .account(.readLists), use: members)
        endpoints.post(Paths.lists + "/:id/accounts", .account(.writeLists), use: add)
        endpoints.delete(Paths.lists + "/:id/accounts", .account(.writeLists), use: remove)
    }

    @Sendable func members(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        guard try await lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
        let page = try page(request.query)
        let fetched = try await lists.members(of: id, page: page.fetchingOneExtra)
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request))
    }

    @Sendable func add(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await lists.add(accounts, to: id, of: viewer.account.id)
        return .emptyObject
    }

    @Sendable func remove(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (viewer, id) = (try context.require(), try context.id())
        let accounts = try await accounts(request, context)
        try await lists.remove(accounts, from: id, of: viewer.account.id)
        return .emptyObject
    }

    /// A page of members; as in Mastodon, all members for `limit=0`.
    private func page(_ input: RequestParameters) throws(FeedError) -> Pagination {
        var page = try Pagination.list(input, limits: settings.limits)
        if input[IntegerParameter.limit.rawValue] == "0" { page.limit = ListRule.maximumMembers }
        return page
    }

    /// The requested accounts, without repetitions.
    private func accounts(_ request: Request, _ context: RequestContext) async throws -> [Int64] {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        return try input.accountIDs(upTo: settings.limits.idsMaximum)
    }
}
