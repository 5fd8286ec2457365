import FeedCore
import FeedStore
import HTTPTypes

/// The page on which members change their password: `/settings/password`.
struct PasswordPageController: Sendable {
    let passwordChange: PasswordChange
    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings/password", .member(.readAccounts)) { request, context in
            try await pages.errors.form { pages.response(with: try page(nil, request, context), context) }
        }
        endpoints.post("/settings/password", .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
    }

    private func change(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try context.require().account
        let input = try await pages.input(request, context)
        return try await pages.submit(context, at: "old_password") { refusal in
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
        _ refusal: PageForm.Refusal?, _ request: Request, _ context: FeedContext
    ) throws -> PageContext {
        var form = PageForm(path: "/settings/password", submit: "Change password")
        form.notes = ["All other logins end: browsers, apps and tokens."]
        form.fields = [
            .password("old_password", "Current password"), .password("new_password", "New password", isNew: true),
            .password("repeated_password", "New password again", isNew: true),
        ]
        form.refusal = refusal
        var shown = try pages.settings("Password", request, context)
        shown.show([form])
        return shown
    }
}

/// The fields of the form.
private struct NewPassword {
    let old: String
    let new: String

    /// - Throws: ``FieldRefusal``.
    init(_ input: InputValues, _ limits: Limits) throws {
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
