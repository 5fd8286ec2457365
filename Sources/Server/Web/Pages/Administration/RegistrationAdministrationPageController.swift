import FeedAPI
import FeedCore
import FeedStore

/// The sign-ups that await approval: `/admin/sign-ups`.
struct RegistrationAdministrationPageController: Sendable {
    let registrations: RegistrationStore
    let pages: AdministrationPage

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin/sign-ups", .adminReadAccounts, to: endpoints) { try await list($0, $1) }
        pages.post("/admin/sign-ups/:id/approve", .adminWriteAccounts, to: endpoints) { _, context in
            try context.log("a sign-up was approved", about: try await registrations.approve(try context.id()))
            return "/admin/sign-ups"
        }
        pages.post("/admin/sign-ups/:id/reject", .adminWriteAccounts, to: endpoints) { _, context in
            try context.log("a sign-up was rejected", about: try await registrations.reject(try context.id()).account)
            return "/admin/sign-ups"
        }
    }

    private func list(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        var page = try pages.page({ $0.tab(.signUps) }, for: request, context)
        let signUps = try await registrations.pending()
        page.showRows(signUps.map { TemplateValues($0, page.text) })
        if signUps.isEmpty { page.setEmpty(page.text.nobodyAwaitsApproval) }
        return page
    }
}

extension PageButton {
    /// The answers to a sign-up.
    static func answers(toSignUpOf account: Account, _ text: any PageText) -> [PageButton] {
        let (path, name) = ("/admin/sign-ups/\(account.id)", "@" + account.username)
        return [
            PageButton(path: path + "/approve", label: text.approve, subject: name, isMain: true),
            PageButton(path: path + "/reject", label: text.reject, subject: name),
        ]
    }
}

extension TemplateValues {
    fileprivate init(_ signUp: PendingSignUp, _ text: any PageText) {
        let account = signUp.account
        self.init(
            row: "@" + account.username, at: "/admin/accounts/\(account.id)",
            buttons: PageButton.answers(toSignUpOf: account, text))
        if let email = account.email.nonEmpty { self[.rowFacts] = .texts([email]) }
        set(.excerpt, signUp.reason.nonEmpty)
        set(.datetime, ISO8601.text(milliseconds: account.createdAt))
        set(.dateText, PageDate.full(account.createdAt, text))
    }
}
