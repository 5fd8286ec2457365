import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// The logins of a member, and the tokens that they make for their programs: `/settings/logins`.
struct LoginsPageController: Sendable {
    private static let path = "/settings/logins"
    private static let nameBytes = 200

    let store: TokenStore
    let tokens: Authentication
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await list(RequestParameters(), nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await create(request, context) }
        }
        endpoints.post(Self.path + "/:id/end", .member(.writeAccounts)) { request, context in
            try await pages.errors.form {
                let token = try await store.token(try context.id(), of: try context.require().account.id)
                // Another request may have ended it in the meantime.
                _ = try await store.revoke(id: token.id)
                return .seeOther(Self.path)
            }
        }
    }

    /// Shows the secret of the new token in the response itself, because it is stored nowhere. Only a login with the
    /// password may do so: a token of an application could otherwise make one that may do more.
    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        guard viewer.isSession else { throw FeedError.notAllowed }
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context, at: "name") { refusal in
            try await list(input, refusal, request, context)
        } _: {
            let name = try name(input)
            let scopes = try scopes(input, of: viewer.account)
            let secret = try await tokens.create(
                for: viewer.account.id, scopes: scopes, application: ClientApplication(name: name))
            var shown = try await list(RequestParameters(), nil, request, context)
            shown.set(.notice, shown.text.tokenNotice(name))
            shown.set(.secret, secret)
            return pages.response(with: shown, context)
        }
    }

    private func name(_ input: RequestParameters) throws -> String {
        let name = (try input.one("name") ?? "").trimmedWhitespace
        guard !name.isEmpty, name.utf8.count <= Self.nameBytes else {
            throw FeedError.invalid("The name must have 1 to \(Self.nameBytes) bytes")
        }
        guard name != ClientApplication.pages.name else {
            throw FeedError.invalid("This name stands for the pages of this server")
        }
        return name
    }

    private func scopes(_ input: RequestParameters, of account: Account) throws -> ScopeSet {
        let names = input.all("scopes").filter { !$0.isEmpty }
        guard !names.isEmpty else { throw FieldRefusal("scopes", .invalid("Choose what the program may do")) }
        guard names.allSatisfy(TokenScope.offered(to: account).map(\.rawValue).contains) else {
            throw FieldRefusal("scopes", .invalid("The requested scope is unknown"))
        }
        return ScopeSet(names: Array(Set(names)).sorted())
    }

    private func list(
        _ input: RequestParameters, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let account = try context.require().account
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let (found, hasOlder) = page.split(try await store.list(accountID: account.id, page: page.fetchingOneExtra))
        var own: Int64?
        if let secret = context.token { own = try await store.id(hash: Secret.hash(secret)) }
        var shown = try pages.settings({ $0.entry(.logins).title }, request, context)
        let locale = shown.locale
        shown.show([form(input, refusal, for: account, locale.text)])
        shown.set(.rowsHeading, locale.text.logins)
        shown.showRows(found.map { TemplateValues($0, isOwn: $0.id == own, in: locale) })
        shown.setPages(page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder)
        return shown
    }

    private func form(
        _ input: RequestParameters, _ refusal: PageForm.Refusal?, for account: Account, _ text: any PageText
    ) -> PageForm {
        var form = PageForm(path: Self.path, submit: text.makeToken)
        form.heading = text.newToken
        form.notes = [text.tokenHint]
        let choices = TokenScope.offered(to: account).map { ($0.rawValue, text.scope($0)) }
        var scopes = PageForm.Field("scopes", text.tokenScopes, .checks(choices))
        scopes.values = input.all("scopes")
        form.fields = [PageForm.Field("name", text.tokenName, .line("text"), input["name"]).required(), scopes]
        form.refusal = refusal
        return form
    }
}

/// The scopes that a token of a member's program can have. The raw values are those of the API.
enum TokenScope: String, CaseIterable, Sendable {
    case read, write
    case writeStatuses = "write:statuses"
    case writeMedia = "write:media"
    case adminRead = "admin:read"
    case adminWrite = "admin:write"

    static func offered(to account: Account) -> [TokenScope] {
        account.role == .admin ? allCases : [.read, .write, .writeStatuses, .writeMedia]
    }
}

extension TemplateValues {
    /// A login in a list.
    /// - Parameter isOwn: Whether the page was opened with it.
    fileprivate init(_ token: AccessToken, isOwn: Bool, in locale: PageLocale) {
        let text = locale.text
        let name = ClientApplication.shownName(token.application).nonEmpty ?? text.unnamedApplication
        let end = PageButton(path: "/settings/logins/\(token.id)/end", label: text.endLogin, subject: name)
        self.init(
            isOwn ? text.thisBrowser(name) : name, text.may(token.scopes.formatted), buttons: isOwn ? [] : [end])
        set(.datetime, ISO8601.text(milliseconds: token.createdAt))
        set(.dateText, locale.date(token.createdAt))
    }
}

extension String {
    /// Without white space at both ends, found by scalars, because U+0600 would hide it in a character.
    var trimmedWhitespace: String {
        let start = unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
