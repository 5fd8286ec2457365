import FeedCore
import FeedStore
import HTTPTypes
import Logging
import NIOCore

/// The page on which somebody sets a new password with a link of the operator: `/reset/CODE`.
struct PasswordResetPageController: Sendable {
    let resets: PasswordResetting
    let assets: PageAssets
    let errors: ErrorPage
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/reset/:code", .open) { request, context in
            try await errors.form { try await form(request, context) }
        }
        endpoints.post("/reset/:code", .open) { request, context in
            try await errors.form { try await submit(request, context) }
        }
    }

    /// The password is not used to log in here, so that whoever sets it knows that it works.
    private func submit(_ request: Request, _ context: RequestContext) async throws -> Response {
        let code = try context.segment("code")
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let password = input["password"] ?? ""
        if let error = RegistrationForm.passwordError(password, settings.limits) {
            let message = assets.language(for: request, context).text.refusal(.password, [error])
            return try await form(request, context, message: message)
        }
        let account = try await resets.setPassword(password, code: code)
        context.logger.notice(
            "a password was set with a link",
            metadata: ["username": "\(account.username)", "from": "\(context.address)"])
        return Response(status: .seeOther, headers: [.location: "/login"])
    }

    private func form(_ request: Request, _ context: RequestContext, message: String? = nil) async throws -> Response {
        let account = try await resets.account(code: try context.segment("code"))
        var page = try assets.page(for: request, context)
        let heading = page.text.words.newPassword
        page.setTitle("\(heading) – \(page.site.title)", heading: heading)
        page.set(.username, account.username)
        page.set(.message, message)
        return Response(
            status: message == nil ? .ok : .unprocessableContent,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: LoginPage.policy],
            body: .init(byteBuffer: .init(bytes: page.html("reset"))))
    }
}
