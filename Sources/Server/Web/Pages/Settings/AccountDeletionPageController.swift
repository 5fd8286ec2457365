import FeedCore
import FeedStore
import HTTPTypes
import Logging

/// The page on which members delete their account: `/settings/delete`. As with `account remove`, it disappears at once;
/// the maintenance of the server then deletes what belongs to it.
struct AccountDeletionPageController: Sendable {
    let passwords: Login
    let moderation: ModerationStore
    let sessions: Sessions
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings/delete", .member(.readAccounts)) { request, context in
            try await pages.errors.form { pages.response(with: try page(nil, request, context), context) }
        }
        endpoints.post("/settings/delete", .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await remove(request, context) }
        }
    }

    private func remove(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context) { refusal in
            try page(refusal, request, context)
        } _: {
            try await check(try input.one("password") ?? "", of: account, context)
            try await moderation.perform(.remove, on: account.id)
            await passwords.invalidate(account.id)
            context.logger.info("account removed by its owner", metadata: ["account": "\(account.username)"])
            var response = Response(
                status: .seeOther, headers: [.location: "/", .clearSiteData: "\"cache\", \"storage\""])
            response.headers.append(try await sessions.end(request))
            return response
        }
    }

    private func check(_ password: String, of account: Account, _ context: RequestContext) async throws {
        do {
            _ = try await passwords.authenticate(
                username: account.username, password: password, address: context.address)
        } catch let error as FeedError where error.kind == .unauthorized {
            throw FieldRefusal("password", FeedError(.unauthorized, "This is not your password"))
        } catch let error as FeedError {
            throw FieldRefusal("password", error)
        }
    }

    private func page(
        _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var shown = try pages.settings({ $0.entry(.removal).title }, request, context)
        let text = shown.text
        var form = PageForm(path: "/settings/delete", submit: text.removeAccount)
        form.notes = [text.removalWarning, text.nameStays(try context.require().account.username)]
        form.fields = [.password("password", text.yourPassword)]
        form.refusal = refusal
        form.cancel = "/settings"
        shown.show([form])
        return shown
    }
}
