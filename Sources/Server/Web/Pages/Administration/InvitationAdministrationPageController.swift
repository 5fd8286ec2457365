import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The invitations: `/admin/invitations`. Those made here are in the name of the administrator.
struct InvitationAdministrationPageController: Sendable {
    private static let day: Int64 = 86_400_000
    private static let maximumDays = 3650

    let invitations: InvitationStore
    let clock: WallClock
    let pages: AdministrationPage

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin/invitations", .adminReadAccounts, to: endpoints) {
            try await list(RequestParameters(), nil, $0, $1)
        }
        endpoints.post("/admin/invitations", .administrator(.adminWriteAccounts)) { request, context in
            try await pages.pages.errors.form { try await create(request, context) }
        }
        pages.post("/admin/invitations/:code/revoke", .adminWriteAccounts, to: endpoints) { _, context in
            guard try await invitations.revoke(code: try context.segment("code")) else { throw FeedError.notFound }
            try context.log("an invitation was revoked", about: nil)
            return "/admin/invitations"
        }
    }

    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let limit = pages.pages.settings.limits.formBytes
        let input = try await request.input(upTo: limit, context: context)
        return try await pages.pages.submit(request, context) { refusal in
            try await list(input, refusal.message, request, context)
        } _: {
            let uses = try Self.number(input["uses"], upTo: Invitation.usesLimit, "Accounts")
            let days = try Self.number(input["days"], upTo: Self.maximumDays, "Days")
            _ = try await invitations.invite(
                inviter: try context.require().account, uses: uses, lifetime: Int64(days) * Self.day)
            try context.log("an invitation was created", about: nil, ["uses": String(uses), "days": String(days)])
            return Response(status: .seeOther, headers: [.location: "/admin/invitations"])
        }
    }

    private static func number(_ text: String?, upTo maximum: Int, _ name: String) throws(FeedError) -> Int {
        guard let text, text.isDigits, let number = Int(text), (1...maximum).contains(number) else {
            throw .invalid("\(name) must be a number from 1 to \(maximum)")
        }
        return number
    }

    private func list(
        _ input: RequestParameters, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        var page = try pages.page({ $0.tab(.invitations) }, for: request, context)
        var form = TemplateValues()
        form.set(.message, message)
        form.set(.uses, input["uses"] ?? "1")
        form.set(.maximumUses, String(Invitation.usesLimit))
        form.set(.days, input["days"] ?? "7")
        form.set(.maximumDays, String(Self.maximumDays))
        page.set(.invitationForm, .object(form))
        let (invitations, now, base) = (try await invitations.invitations(), clock.now(), page.base)
        let text = page.text
        page.showRows(invitations.reversed().map { TemplateValues($0, at: now, base: base, text) })
        return page
    }
}

extension TemplateValues {
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - base: The address of this server.
    fileprivate init(_ invitation: Invitation, at now: Int64, base: String, _ text: any PageText) {
        let path = "/join/" + invitation.code
        self.init(
            row: base + path, at: path,
            buttons: [
                PageButton(path: "/admin/invitations/\(invitation.code)/revoke", label: text.revoke, subject: path)
            ])
        let isUsable = invitation.isUsable(at: now)
        self[.rowFacts] = .texts(
            [
                text.used(invitation.uses, of: invitation.maximumUses), isUsable ? nil : text.ended,
                text.lasts(until: PageDate.full(invitation.expiresAt, text)),
                invitation.inviter.map { text.by($0.username) },
            ].compactMap(\.self))
    }
}
