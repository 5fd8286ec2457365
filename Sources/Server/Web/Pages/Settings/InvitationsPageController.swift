import FeedCore
import FeedStore
import HTTPTypes

/// The invitations that a member has made: `/settings/invitations`. Administrators may make any, other members as many
/// as the operator allows, each for one person.
struct InvitationsPageController: Sendable {
    private static let path = "/settings/invitations"
    private static let day: Int64 = 86_400_000
    /// Days.
    private static let lifetimes = [1, 7, 30]

    let invitations: InvitationStore
    let pages: MemberPage
    let clock: WallClock

    /// Whether a member may invite people.
    static func isAllowed(_ account: Account, _ settings: ReloadableSettings) -> Bool {
        settings.registration.mode != .closed
            && (account.role == .admin || settings.limits.memberInvitations > 0)
    }

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await list(RequestParameters(), nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await create(request, context) }
        }
        endpoints.post(Self.path + "/:code/revoke", .member(.writeAccounts)) { request, context in
            try await pages.errors.form {
                let account = try context.require().account.id
                guard try await invitations.revoke(code: try context.segment("code"), by: account) else {
                    throw FeedError.notFound
                }
                return .seeOther(Self.path)
            }
        }
    }

    private func requireInviter(_ context: RequestContext) throws -> Account {
        let account = try context.require().account
        guard Self.isAllowed(account, pages.settings) else {
            let isClosed = pages.settings.registration.mode == .closed
            throw FeedError(
                .forbidden, isClosed ? SignUpClosed.closed.heading : "Only administrators can invite people",
                hint: isClosed ? SignUpClosed.closed.hint : nil)
        }
        return account
    }

    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try requireInviter(context)
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context) { refusal in
            try await list(input, refusal, request, context)
        } _: {
            let isAdmin = account.role == .admin
            let uses = isAdmin ? Int(input["uses"] ?? "1") ?? 0 : 1
            guard (1...Invitation.usesLimit).contains(uses) else {
                throw FieldRefusal("uses", .invalid("Enter a number from 1 to \(Invitation.usesLimit)"))
            }
            guard let days = input["days"].flatMap(Int.init), Self.lifetimes.contains(days) else {
                throw FieldRefusal("days", .invalid("Choose when it expires"))
            }
            _ = try await invitations.invite(
                inviter: account, uses: uses, lifetime: Int64(days) * Self.day,
                maximum: isAdmin ? nil : pages.settings.limits.memberInvitations)
            return .seeOther(Self.path + "?saved")
        }
    }

    private func list(
        _ input: RequestParameters, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let account = try requireInviter(context)
        let base = try pages.baseURL.text(for: request)
        var shown = try pages.settings({ $0.entry(.invitations).title }, request, context)
        let (text, locale) = (shown.text, shown.locale)
        var form = PageForm(path: Self.path, submit: text.invite)
        if account.role == .admin {
            form.fields = [PageForm.Field("uses", text.invitedPeople, .line("number"), input["uses"] ?? "1")]
        }
        let lifetimes = Self.lifetimes.map { (String($0), text.duration(.days($0))) }
        form.fields.append(PageForm.Field("days", text.invitationExpiry, .select(lifetimes), input["days"] ?? "7"))
        form.refusal = refusal
        shown.show([form])
        shown.showRows(
            try await invitations.invitations(by: account.id).reversed().map { invitation in
                let path = "/join/" + invitation.code
                return TemplateValues(
                    base + path, invitation.summary(in: locale, at: clock.now()), at: path,
                    buttons: [PageButton(path: "\(Self.path)/\(invitation.code)/revoke", label: text.revoke)])
            })
        return shown
    }
}

extension Invitation {
    fileprivate func summary(in locale: PageLocale, at now: Int64) -> String {
        let (text, end) = (locale.text, locale.date(expiresAt))
        return text.invitation(
            used: uses, of: maximumUses, expiresAt > now ? text.until(end) : text.expired(on: end))
    }
}
