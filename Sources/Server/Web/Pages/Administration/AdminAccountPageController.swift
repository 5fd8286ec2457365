import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// All accounts, and what the operator can do about one: `/admin/accounts`.
struct AdminAccountPageController: Sendable {
    private static let actions: [(verb: String, action: ModerationAction)] = [
        ("silence", .silence), ("unsilence", .unsilence), ("suspend", .suspend), ("unsuspend", .unsuspend),
    ]
    private static let roles: [(verb: String, role: Account.Role)] = [("promote", .admin), ("demote", .member)]

    let moderation: ModerationStore
    let registrations: RegistrationStore
    let resets: PasswordResets
    let pages: AdminPages

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin/accounts", .adminReadAccounts, to: endpoints) { try await list($0, $1) }
        pages.get("/admin/accounts/:id", .adminReadAccounts, to: endpoints) { try await show($0, $1) }
        for (verb, action) in Self.actions {
            pages.post("/admin/accounts/:id/" + verb, .adminWriteAccounts, to: endpoints) { _, context in
                let (id, moderator) = (try context.id(), try context.require().account.id)
                let outcome = try await moderation.perform(action, on: id, by: moderator)
                try context.log(action, on: outcome.account)
                return "/admin/accounts/\(id)"
            }
        }
        for (verb, role) in Self.roles {
            pages.post("/admin/accounts/:id/" + verb, .adminWriteAccounts, to: endpoints) { _, context in
                let (id, moderator) = (try context.id(), try context.require().account.id)
                let account = try await moderation.setRole(role, of: id, by: moderator)
                try context.log("a role was changed", about: account, ["role": role.rawValue])
                return "/admin/accounts/\(id)"
            }
        }
        pages.get("/admin/accounts/:id/remove", .adminWriteAccounts, to: endpoints) { try await askToRemove($0, $1) }
        pages.post("/admin/accounts/:id/remove", .adminWriteAccounts, to: endpoints) { _, context in
            let outcome = try await moderation.perform(
                .remove, on: try context.id(), by: try context.require().account.id)
            try context.log(.remove, on: outcome.account)
            return "/admin/accounts"
        }
        // Shows the link at once instead of leading to another page, because only its hash is stored.
        endpoints.post("/admin/accounts/:id/reset", .administrator(.adminWriteAccounts)) { request, context in
            try await pages.pages.errors.form {
                let reset = try await resets.create(for: try context.id())
                try context.log("a link for a new password was made", about: reset.account)
                return pages.pages.response(with: try await show(request, context, reset), context)
            }
        }
    }

    private func list(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        let query = try request.query
        let page = try Pagination.list(query, limits: pages.pages.settings.limits)
        var selection = try AccountSelection(v2: query)
        selection.username = selection.username.map { String(Substring($0.utf8.drop { $0 == UInt8(ascii: "@") })) }
        let (found, hasOlder) = page.split(try await moderation.accounts(selection, page: page.fetchingOneExtra))
        let pending = try await registrations.reasons(of: found.map(\.id))
        var shown = try pages.page("Accounts", for: request, context)
        shown.set(.accountSearch, .object(TemplateValues(search: selection)))
        shown.showRows(found.map { TemplateValues($0, isPending: pending[$0.id] != nil) })
        if found.isEmpty { shown.setEmpty("No such accounts.") }
        shown.setPages(
            page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder,
            filters: query.filters(["username", "display_name", "email", "status", "permissions"]))
        return shown
    }

    private func require(_ context: FeedContext) async throws -> Account {
        guard let account = try await moderation.account(id: try context.id()) else { throw FeedError.notFound }
        return account
    }

    private func askToRemove(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        let account = try await require(context)
        let path = "/admin/accounts/\(account.id)"
        var form = PageForm(path: path + "/remove", submit: "Remove the account for good")
        form.notes = [
            "The profile, posts, files, follows, favourites, notifications and logins of @\(account.username) are "
                + "deleted, for everyone. This cannot be undone.",
            "Nobody else can have the name @\(account.username).",
        ]
        form.cancel = path
        var page = try pages.page("Remove @\(account.username)?", for: request, context)
        page.show([form])
        return page
    }

    /// - Parameter reset: A link that has just been made.
    private func show(
        _ request: Request, _ context: FeedContext, _ reset: PasswordReset? = nil
    ) async throws -> PageContext {
        let account = try await require(context)
        let reason = try await registrations.reasons(of: [account.id])[account.id]
        let isSelf = try context.require().account.id == account.id
        var page = try pages.page("@" + account.username, for: request, context)
        page.show(account.facts(reason: reason))
        var links = [
            PageNavigation.Link(path: "/admin/reports?target_account_id=\(account.id)", label: "Open reports")
        ]
        // As in the API, an account is suspended first, which can be undone.
        if account.isSuspended(isPending: reason != nil), !isSelf {
            links.append(PageNavigation.Link(path: "/admin/accounts/\(account.id)/remove", label: "Remove"))
        }
        page.setTools(
            links,
            buttons: reason == nil ? account.buttons(isSelf: isSelf) : PageButton.answers(toSignUpOf: account))
        page.set(.backURL, "/admin/accounts")
        page.set(.backText, "All accounts")
        if let reset {
            page.set(.resetURL, page.base + reset.path)
            page.set(.resetEnd, PageDate.full(reset.expiresAt))
        }
        return page
    }
}

extension Account {
    /// The marks that the operator should see at a glance.
    fileprivate func marks(isPending: Bool) -> [String] {
        [
            role == .admin ? "admin" : nil, isPending ? "awaits approval" : nil,
            isSuspended(isPending: isPending) ? "suspended" : nil, silencedAt == nil ? nil : "silenced",
        ].compactMap(\.self)
    }

    /// - Parameter reason: The reason for joining, of an account that awaits approval.
    fileprivate func facts(reason: String?) -> [AdminFact] {
        let marks = marks(isPending: reason != nil)
        let facts = [
            AdminFact(name: "Name", value: displayNameOrUsername, path: "/@" + username),
            AdminFact(name: "Email", value: email.nonEmpty ?? "none"), AdminFact(name: "Role", value: role.rawValue),
            AdminFact(
                name: "State", value: marks.filter { $0 != "admin" }.joined(separator: ", ").nonEmpty ?? "active"),
            AdminFact(name: "Password", value: hasPassword ? "set" : "none"),
            AdminFact(name: "Joined", value: PageDate.full(createdAt)),
            AdminFact(name: "Last post", value: lastStatusAt.map { PageDate.full($0) } ?? "none"),
            AdminFact(name: "Posts", value: String(statusesCount)),
            AdminFact(name: "Followers", value: String(followersCount)),
        ]
        return facts + [reason?.nonEmpty.map { AdminFact(name: "Reason to join", value: $0) }].compactMap(\.self)
    }

    /// - Parameter isSelf: Whether it is the account of the administrator, which only others can restrict.
    fileprivate func buttons(isSelf: Bool) -> [PageButton] {
        let (path, name) = ("/admin/accounts/\(id)/", "@" + username)
        let reset =
            suspendedAt == nil
            ? [PageButton(path: path + "reset", label: "Make a link for a new password", subject: "of " + name)] : []
        guard !isSelf else { return reset }
        return reset + [
            silencedAt == nil
                ? PageButton(path: path + "silence", label: "Silence", subject: name)
                : PageButton(path: path + "unsilence", label: "No longer silence", subject: name),
            suspendedAt == nil
                ? PageButton(path: path + "suspend", label: "Suspend", subject: name)
                : PageButton(path: path + "unsuspend", label: "Restore", subject: name),
            role == .member
                ? PageButton(path: path + "promote", label: "Make an administrator", subject: name)
                : PageButton(path: path + "demote", label: "Make a member", subject: name),
        ]
    }
}

extension TemplateValues {
    private static let states: [(state: AccountSelection.State?, label: String)] = [
        (nil, "Any"), (.active, "Active"), (.silenced, "Silenced"), (.suspended, "Suspended"),
        (.pending, "Awaiting approval"),
    ]

    /// An account in the list.
    fileprivate init(_ account: Account, isPending: Bool) {
        self.init(row: "@" + account.username, at: "/admin/accounts/\(account.id)")
        self[.badges] = .texts(account.marks(isPending: isPending))
        self[.rowFacts] = .texts(
            [account.displayName.nonEmpty, account.email.nonEmpty, "joined \(PageDate.month(account.createdAt))"]
                .compactMap(\.self))
    }

    /// The search, with what was searched for.
    fileprivate init(search selection: AccountSelection) {
        self.init()
        set(.username, selection.username ?? "")
        set(.displayName, selection.displayName ?? "")
        set(.email, selection.email ?? "")
        set(.staffOnly, selection.role == .admin)
        self[.accountStates] = .list(
            Self.states.map {
                TemplateValues($0.state?.rawValue ?? "", $0.label, isSelected: $0.state == selection.state)
            })
    }
}
