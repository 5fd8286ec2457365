import FeedCore
import HTTPTypes

/// Answers a form of a personal page that is sent without a session, because that has ended: with what was typed, which
/// can be sent again after a login in another tab.
struct LoggedOutPage: Sendable {
    let errors: ErrorPage
    let settings: ReloadableSettings

    private static let refusal = FeedError(
        .unauthorized, "You are logged out",
        hint: "Nothing is lost: log in in another tab, then send this again. Only files must be chosen again.")

    /// The names of the text areas of forms, whose texts the page shows.
    private static let areas: Set<String> = ["status", "note", "comment"]

    static func applies(to request: Request, _ caller: Caller, _ endpoint: Endpoint) -> Bool {
        endpoint.isForm && LoginRedirect.isNeeded(by: request, caller, endpoint.access)
            && ErrorResponses.wantsPage(request)
    }

    func response(to request: Request, _ context: RequestContext) async throws -> Response {
        guard let path = LocalPath(request.uri.string) else { throw FeedError.unauthorized }
        let values = try await values(of: request, context)
        let text = errors.reader.language(for: request, context).text
        var form = PageForm(path: path.text, submit: text.sendAgain)
        // A page does not repeat a password.
        form.fields = values.pairs.filter { !Self.isPassword($0.name) }.map { name, value -> PageForm.Field in
            Self.areas.contains(name) ? PageForm.Field(name, text.words.text, .area, value) : .hidden(name, value)
        }
        // The form for posts then returns, in which the files can be chosen again, instead of posting without them.
        if !values.files.isEmpty { form.fields.append(.hidden("add", "1")) }
        var response = try errors.page(for: ErrorResponse(Self.refusal), request, context, form: form)
        response.headers[.frameOptions] = "DENY"
        return response
    }

    private static func isPassword(_ name: String) -> Bool { name.lowercased().utf8.contains("password".utf8) }

    private func values(of request: Request, _ context: RequestContext) async throws -> RequestParameters {
        let limit = settings.limits.longFormBytes
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true else {
            return try await request.input(upTo: limit, context: context)
        }
        guard request.droppedAfterRefusal > 0 else { throw FeedError(.unauthorized, "You are logged out") }
        context.readBody()
        return try await RequestParameters.withoutFiles(of: request, upTo: limit)
    }
}
