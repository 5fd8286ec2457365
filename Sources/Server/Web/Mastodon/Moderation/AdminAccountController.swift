import FeedAPI
import FeedCore
import FeedStore

/// Accounts for administrators: lists with filters, and actions.
struct AdminAccountController: Sendable {
    /// The default and the maximum number of accounts per page.
    private static let listDefault = 100
    private static let listMaximum = 200

    let moderation: ModerationStore
    let registrations: RegistrationStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/admin/accounts", .admin(.adminReadAccounts)) { request, context in
            try await list(AccountSelection(v1: try request.query), request)
        }
        endpoints.get("/api/v2/admin/accounts", .admin(.adminReadAccounts)) { request, context in
            try await list(AccountSelection(v2: try request.query), request)
        }
        endpoints.get("/api/v1/admin/accounts/:id", .admin(.adminReadAccounts), use: show)
        endpoints.post("/api/v1/admin/accounts/:id/action", .admin(.adminWriteAccounts), use: act)
        for (path, action) in [("unsilence", ModerationAction.unsilence), ("unsuspend", .unsuspend)] {
            endpoints.post("/api/v1/admin/accounts/:id/" + path, .admin(.adminWriteAccounts)) { request, context in
                try await perform(action, request, context)
            }
        }
        endpoints.delete("/api/v1/admin/accounts/:id", .admin(.adminWriteAccounts)) { request, context in
            try await perform(.remove, request, context)
        }
    }

    private func list(_ selection: AccountSelection, _ request: Request) async throws -> Response {
        let page = try Pagination(
            request.query, limits: settings.limits, standard: Self.listDefault, maximum: Self.listMaximum)
        let fetched = try await moderation.accounts(selection, page: page.fetchingOneExtra)
        let reasons = try await registrations.reasons(of: fetched.map(\.id))
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            $0.adminAccount($1, $2, reason: reasons[$1.id])
        }
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let account = try await moderation.account(id: try context.id()) else {
            throw FeedError.notFound
        }
        let reasons = try await registrations.reasons(of: [account.id])
        return try response(for: account, reason: reasons[account.id], request)
    }

    /// Silences or suspends an account, or only resolves a report.
    @Sendable func act(_ request: Request, _ context: RequestContext) async throws -> Response {
        let moderator = try context.require().account.id
        let id = try context.id()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard try await moderation.account(id: id) != nil else { throw FeedError.notFound }
        let action = try ModerationAction(input)
        let outcome = try await moderation.perform(
            action, on: id, by: moderator, report: try input.id(.reportID))
        try context.log(action, on: outcome.account)
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }

    private func perform(
        _ action: ModerationAction, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        let moderator = try context.require().account.id
        let outcome = try await moderation.perform(
            action, on: try context.id(), by: moderator, report: nil)
        try context.log(action, on: outcome.account)
        return try response(for: outcome.account, request)
    }

    private func response(for account: Account, reason: String? = nil, _ request: Request) throws -> Response {
        var json = JSONWriter()
        json.adminAccount(account, try contexts.make(for: request), reason: reason)
        return Response(json: json)
    }
}

extension ModerationAction {
    /// Reads `type`. This server has no way to send `text` to the account.
    /// - Throws: ``FeedError`` `.invalid` for an unknown or unsupported type, and for a text.
    fileprivate init(_ input: RequestParameters) throws(FeedError) {
        switch try input.one("type") {
        case "none": self = .none
        case "silence": self = .silence
        case "suspend": self = .suspend
        case "disable", "sensitive":
            throw FeedError(
                .invalid, "Validation failed: Type is not supported",
                hint: "This server supports the types none, silence and suspend.")
        default: throw .invalid("Type is not included in the list")
        }
        for name in ["text", "warning_preset_id"] where input[name]?.isEmpty == false {
            throw FeedError(
                .invalid, "Validation failed: \(name) cannot be sent",
                hint: "This server sends no messages to accounts; omit this field.")
        }
    }
}

extension AccountSelection {
    /// Reads the filters of the first version: a flag for each state, and only active accounts by default.
    fileprivate init(v1 input: RequestParameters) throws(FeedError) {
        try self.init(input)
        state = State.allCases.last { input.flag($0.rawValue) ?? false } ?? .active
        if input.flag("staff") ?? false { role = .admin }
        if input.flag("remote") ?? false { isEmpty = true }
    }

    /// Reads the filters of the second version.
    init(v2 input: RequestParameters) throws(FeedError) {
        try self.init(input)
        if let word = input["status"], !word.isEmpty {
            guard let named = State(rawValue: word) else { throw .malformed("status is unknown") }
            state = named
        }
        if input["permissions"] == "staff" { role = .admin }
        let roles = input.all("role_ids").compactMap { id in Account.Role.allCases.first { $0.apiID == id } }
        if Set(roles).count == 1 { role = roles[0] }
        if roles.isEmpty, !input.all("role_ids").isEmpty { isEmpty = true }
        if input["origin"] == "remote" || input["invited_by"]?.isEmpty == false { isEmpty = true }
    }

    /// Reads the filters that both versions have.
    private init(_ input: RequestParameters) throws(FeedError) {
        func text(_ name: String) throws(FeedError) -> String? {
            guard let text = try input.one(name), !text.isEmpty else { return nil }
            return text
        }
        self.init()
        username = try text("username")
        displayName = try text("display_name")
        email = try text("email")
        // All accounts belong to this server, which does not store the addresses they use.
        let (domain, address) = (try text("by_domain"), try text("ip"))
        isEmpty = domain != nil || address != nil
    }
}

extension JSONWriter {
    /// Writes an Admin::Account entity. This server keeps no addresses of its accounts' devices, sends no mail that could
    /// confirm an address, and knows no other servers.
    /// - Parameter reason: The reason for joining, of an account that awaits approval.
    mutating func adminAccount(_ account: Account, _ entities: EntityContext, reason: String? = nil) {
        object {
            $0.field("id", id: account.id)
            $0.field("username", account.username)
            $0.field("domain", nil)
            $0.field("created_at", time: account.createdAt)
            $0.field("email", account.email)
            $0.field("ip", nil)
            $0.empty("ips")
            $0.key("role")
            $0.role(account)
            $0.field("confirmed", true)
            $0.field("suspended", account.isSuspended(isPending: reason != nil))
            $0.field("silenced", account.silencedAt != nil)
            $0.field("sensitized", false)
            $0.field("disabled", false)
            $0.field("approved", reason == nil)
            $0.field("locale", account.defaultLanguage)
            $0.field("invite_request", reason.flatMap { $0.isEmpty ? nil : $0 })
            $0.key("account")
            $0.account(account, entities)
        }
    }

    mutating func adminAccountOrNull(_ account: Account?, _ entities: EntityContext) {
        if let account { adminAccount(account, entities) } else { null() }
    }
}

/// Approves and rejects sign-ups, for administrators: `/api/v1/admin/accounts/:id/approve` and `reject`.
struct ApprovalController: Sendable {
    let registrations: RegistrationStore
    let contexts: EntityContexts

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/admin/accounts/:id/approve", .admin(.adminWriteAccounts), use: approve)
        endpoints.post("/api/v1/admin/accounts/:id/reject", .admin(.adminWriteAccounts), use: reject)
    }

    @Sendable func approve(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try await registrations.approve(try context.id())
        try context.log("a sign-up was approved", about: account)
        return try response(account, reason: nil, request)
    }

    /// Responds with the account as it was before it was deleted.
    @Sendable func reject(_ request: Request, _ context: RequestContext) async throws -> Response {
        let signUp = try await registrations.reject(try context.id())
        try context.log("a sign-up was rejected", about: signUp.account)
        return try response(signUp.account, reason: signUp.reason, request)
    }

    private func response(_ account: Account, reason: String?, _ request: Request) throws -> Response {
        var json = JSONWriter(capacity: 2048)
        json.adminAccount(account, try contexts.make(for: request), reason: reason)
        return Response(json: json)
    }
}
