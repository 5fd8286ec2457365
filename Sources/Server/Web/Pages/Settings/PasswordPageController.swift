import FeedCore
import FeedStore
import HTTPTypes

/// The page on which members change their password: `/settings/password`.
struct PasswordPageController: Sendable {
    let passwordChange: PasswordChanging
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings/password", .member(.readAccounts)) { request, context in
            try await pages.errors.form { pages.response(with: try page(nil, request, context), context) }
        }
        endpoints.post("/settings/password", .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
    }

    private func change(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context, at: "old_password") { refusal in
            try page(refusal, request, context)
        } _: {
            let passwords = try NewPassword(input, pages.settings.limits)
            guard let token = context.token else { throw FeedError.notAllowed }
            do {
                try await passwordChange.change(
                    of: account, from: passwords.old, to: passwords.new, address: context.address, keeping: token)
            } catch let error as FeedError where error.kind == .unauthorized {
                throw FeedError(.unauthorized, "This is not your password")
            }
            return .seeOther("/settings/password?saved")
        }
    }

    private func page(
        _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var shown = try pages.settings({ $0.entry(.password).title }, request, context)
        let text = shown.text
        var form = PageForm(path: "/settings/password", submit: text.changePassword)
        form.notes = [text.otherLoginsEnd]
        form.fields = [
            .password("old_password", text.currentPassword),
            .password("new_password", text.words.newPassword, isNew: true),
            .password("repeated_password", text.passwordAgain, isNew: true),
        ]
        form.refusal = refusal
        shown.show([form])
        return shown
    }
}

/// The fields of the form.
private struct NewPassword {
    let old: String
    let new: String

    /// - Throws: ``FieldRefusal``.
    init(_ input: RequestParameters, _ limits: Limits) throws {
        let (old, new) = (try input.one("old_password") ?? "", try input.one("new_password") ?? "")
        guard !old.isEmpty else { throw FieldRefusal("old_password", .invalid("Enter your current password")) }
        if let error = RegistrationForm.passwordError(new, limits) {
            throw FieldRefusal("new_password", .invalid("New password " + error.message))
        }
        guard new != old else { throw FieldRefusal("new_password", .invalid("New password is the old one")) }
        guard try input.one("repeated_password") == new else {
            throw FieldRefusal("repeated_password", .invalid("This is not the same password"))
        }
        (self.old, self.new) = (old, new)
    }
}
