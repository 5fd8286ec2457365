import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// All accounts, and what the operator can do about one: `/admin/accounts`.
struct AccountAdministrationPageController: Sendable {
    private static let actions: [(verb: String, action: ModerationAction)] = [
        ("silence", .silence), ("unsilence", .unsilence), ("suspend", .suspend), ("unsuspend", .unsuspend),
    ]
    private static let roles: [(verb: String, role: Account.Role)] = [("promote", .admin), ("demote", .member)]

    let moderation: ModerationStore
    let registrations: RegistrationStore
    let resets: PasswordResetting
    let pages: AdministrationPage

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

    private func list(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let query = try request.query
        let page = try Pagination.list(query, limits: pages.pages.settings.limits)
        var selection = try AccountSelection(v2: query)
        selection.username = selection.username.map { String(Substring($0.utf8.drop { $0 == UInt8(ascii: "@") })) }
        let (found, hasOlder) = page.split(try await moderation.accounts(selection, page: page.fetchingOneExtra))
        let pending = try await registrations.reasons(of: found.map(\.id))
        var shown = try pages.page({ $0.tab(.accounts) }, for: request, context)
        shown.set(.accountSearch, .object(TemplateValues(search: selection, shown.text)))
        shown.showRows(found.map { TemplateValues($0, isPending: pending[$0.id] != nil, shown.text) })
        if found.isEmpty { shown.setEmpty(shown.text.noSuchAccounts) }
        shown.setPages(
            page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder,
            filters: query.filters(["username", "display_name", "email", "status", "permissions"]))
        return shown
    }

    private func require(_ context: RequestContext) async throws -> Account {
        guard let account = try await moderation.account(id: try context.id()) else { throw FeedError.notFound }
        return account
    }

    private func askToRemove(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let account = try await require(context)
        let path = "/admin/accounts/\(account.id)"
        var page = try pages.page({ $0.removeQuestion(account.username) }, for: request, context)
        let text = page.text
        var form = PageForm(path: path + "/remove", submit: text.removeForGood)
        form.notes = [text.removalWarning(of: account.username), text.otherNameStays(account.username)]
        form.cancel = path
        page.show([form])
        return page
    }

    /// - Parameter reset: A link that has just been made.
    private func show(
        _ request: Request, _ context: RequestContext, _ reset: PasswordReset? = nil
    ) async throws -> PageContext {
        let account = try await require(context)
        let reason = try await registrations.reasons(of: [account.id])[account.id]
        let isSelf = try context.require().account.id == account.id
        var page = try pages.page({ _ in "@" + account.username }, for: request, context)
        let text = page.text
        page.show(account.facts(reason: reason, text))
        var links = [
            PageNavigation.Link(path: "/admin/reports?target_account_id=\(account.id)", label: text.openReports)
        ]
        // As in the API, an account is suspended first, which can be undone.
        if account.isSuspended(isPending: reason != nil), !isSelf {
            links.append(PageNavigation.Link(path: "/admin/accounts/\(account.id)/remove", label: text.remove))
        }
        page.setTools(
            links,
            buttons: reason == nil
                ? account.buttons(isSelf: isSelf, text) : PageButton.answers(toSignUpOf: account, text))
        page.set(.backURL, "/admin/accounts")
        page.set(.backText, text.allAccounts)
        if let reset {
            page.set(.resetURL, page.base + reset.path)
            page.set(.resetEnd, PageDate.full(reset.expiresAt, text))
        }
        return page
    }
}

/// Facts about an account for the operator, at a glance.
enum AccountMark: Sendable {
    case administrator, pending, suspended, silenced
}

/// The texts of the operator's page about an account.
enum AccountFact: Sendable {
    case name, email, role, state, password, joined, lastPost, posts, followers, reason
}

extension Account {
    /// The marks that the operator should see at a glance.
    fileprivate func marks(isPending: Bool) -> [AccountMark] {
        [
            role == .admin ? .administrator : nil, isPending ? .pending : nil,
            isSuspended(isPending: isPending) ? .suspended : nil, silencedAt == nil ? nil : .silenced,
        ].compactMap(\.self)
    }

    /// - Parameter reason: The reason for joining, of an account that awaits approval.
    fileprivate func facts(reason: String?, _ text: any PageText) -> [AdminFact] {
        let marks = marks(isPending: reason != nil).filter { $0 != .administrator }.map(text.mark)
        let rows: [(AccountFact, String?)] = [
            (.email, email.nonEmpty ?? text.nothing), (.role, text.role(role)),
            (.state, marks.joined(separator: text.listSeparator).nonEmpty ?? text.active),
            (.password, hasPassword ? text.passwordIsSet : text.nothing),
            (.joined, PageDate.full(createdAt, text)),
            (.lastPost, lastStatusAt.map { PageDate.full($0, text) } ?? text.nothing),
            (.posts, String(statusesCount)), (.followers, String(followersCount)), (.reason, reason?.nonEmpty),
        ]
        let name = AdminFact(name: text.fact(.name), value: displayNameOrUsername, path: "/@" + username)
        return [name] + rows.compactMap { fact, value in value.map { AdminFact(name: text.fact(fact), value: $0) } }
    }

    /// - Parameter isSelf: Whether it is the account of the administrator, which only others can restrict.
    fileprivate func buttons(isSelf: Bool, _ text: any PageText) -> [PageButton] {
        let (path, name) = ("/admin/accounts/\(id)/", "@" + username)
        let reset =
            suspendedAt == nil
            ? [PageButton(path: path + "reset", label: text.makeReset, subject: text.of(name))] : []
        guard !isSelf else { return reset }
        return reset + [
            silencedAt == nil
                ? PageButton(path: path + "silence", label: text.silence, subject: name)
                : PageButton(path: path + "unsilence", label: text.unsilence, subject: name),
            suspendedAt == nil
                ? PageButton(path: path + "suspend", label: text.suspend, subject: name)
                : PageButton(path: path + "unsuspend", label: text.restore, subject: name),
            role == .member
                ? PageButton(path: path + "promote", label: text.promote, subject: name)
                : PageButton(path: path + "demote", label: text.demote, subject: name),
        ]
    }
}

extension TemplateValues {
    private static let states: [AccountSelection.State] = [.active, .silenced, .suspended, .pending]

    /// An account in the list.
    fileprivate init(_ account: Account, isPending: Bool, _ text: any PageText) {
        self.init(row: "@" + account.username, at: "/admin/accounts/\(account.id)")
        self[.badges] = .texts(account.marks(isPending: isPending).map(text.mark))
        self[.rowFacts] = .texts(
            [
                account.displayName.nonEmpty, account.email.nonEmpty,
                text.joinedIn(PageDate.month(account.createdAt, text)),
            ]
            .compactMap(\.self))
    }

    /// The search, with what was searched for.
    fileprivate init(search selection: AccountSelection, _ text: any PageText) {
        self.init()
        set(.username, selection.username ?? "")
        set(.displayName, selection.displayName ?? "")
        set(.email, selection.email ?? "")
        set(.staffOnly, selection.role == .admin)
        self[.accountStates] = .list(
            [TemplateValues("", text.anyState, isSelected: selection.state == nil)]
                + Self.states.map {
                    TemplateValues($0.rawValue, text.state($0), isSelected: $0 == selection.state)
                })
    }
}
