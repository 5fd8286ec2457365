import FeedCore
import FeedStore
import HTTPTypes

/// The page with the defaults of new posts, the time zone and the theme of a member: `/settings/preferences`.
struct PreferencesPageController: Sendable {
    private static let path = "/settings/preferences"
    private static let visibilities: [Visibility] = [.public, .unlisted, .followers]

    let accounts: AccountStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                pages.response(with: try page(RequestParameters(), nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
    }

    private func change(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context) { refusal in
            try page(input, refusal, request, context)
        } _: {
            let draft = try draft(input)
            _ = try await ProfileEditing(accounts: accounts, limits: pages.settings.limits)
                .edit(draft, of: try context.require().account.id)
            return .seeOther(Self.path + "?saved")
        }
    }

    /// Only what the form contains. Each field is checked by itself, so that its refusal stands beside it.
    private func draft(_ input: RequestParameters) throws -> ProfileChanges {
        let sent = try FieldRefusal.at("source[privacy]") { try ProfileChanges(input) }
        var draft = ProfileChanges()
        (draft.defaultVisibility, draft.defaultSensitive) = (sent.defaultVisibility, sent.defaultSensitive)
        let limits = pages.settings.limits
        try FieldRefusal.at("source[privacy]") { try ProfileRule.check(draft, limits) }
        draft.defaultLanguage = sent.defaultLanguage
        try FieldRefusal.at("source[language]") { try ProfileRule.check(draft, limits) }
        draft.timeZone = try input.one("time_zone")
        try FieldRefusal.at("time_zone") { try ProfileRule.check(draft, limits) }
        draft.theme = try input.one("theme")
        try FieldRefusal.at("theme") { try ProfileRule.check(draft, limits) }
        draft.pageLanguage = try input.one("page_language")
        try FieldRefusal.at("page_language") { try ProfileRule.check(draft, limits) }
        return draft
    }

    private func page(
        _ input: RequestParameters, _ refusal: PageForm.Refusal?, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        let account = try context.require().account
        let language = input["source[language]"] ?? account.defaultLanguage ?? ""
        let zone = input["time_zone"] ?? account.timeZone ?? ""
        var shown = try pages.settings({ $0.entry(.preferences).title }, request, context)
        let text = shown.text
        let visibilities = Self.visibilities.map { ($0.apiName, text.visibility($0)) }
        let themes = [("", text.coloursOfBrowser), ("light", text.light), ("dark", text.dark)]
        let languages = PageLanguage.allCases.map { ($0.rawValue, $0.name) }
        var form = PageForm(path: Self.path, submit: text.save)
        form.fields = [
            PageForm.Field(
                "source[privacy]", text.newPostVisibility, .select(visibilities),
                input["source[privacy]"] ?? account.defaultVisibility.apiName),
            .check(
                "source[sensitive]", text.newPostMedia,
                input.flag("source[sensitive]") ?? account.defaultSensitive),
            PageForm.Field(
                "source[language]", text.newPostLanguage, .select(Self.languages(with: language, text)), language),
            PageForm.Field("time_zone", text.timeZone, .select(Self.zones(with: zone)), zone)
                .hint(text.timeZoneHint),
            PageForm.Field(
                "theme", text.colours, .select(themes), input["theme"] ?? account.theme?.rawValue ?? ""),
            PageForm.Field(
                "page_language", text.pageLanguage, .select([("", text.languageOfBrowser)] + languages),
                input["page_language"] ?? account.language?.rawValue ?? ""),
        ]
        form.refusal = refusal
        shown.show([form])
        return shown
    }

    private static func languages(with chosen: String, _ text: any PageText) -> [PageForm.Choice] {
        let known = PostLanguages.choices(with: chosen, text)
        return known.contains { $0.value.isEmpty } ? known : [("", text.languageNotStated)] + known
    }

    private static func zones(with chosen: String) -> [PageForm.Choice] {
        let names =
            PageTimeZone.names.contains(chosen) || chosen.isEmpty ? PageTimeZone.names : [chosen] + PageTimeZone.names
        return [("", "UTC")] + names.map { ($0, $0.replacing("_", with: " ")) }
    }
}
