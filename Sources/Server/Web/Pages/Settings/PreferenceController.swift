import FeedCore
import FeedStore
import HTTPTypes

/// The page with the defaults of new posts, the time zone and the theme of a member: `/settings/preferences`.
struct PreferenceController: Sendable {
    private static let path = "/settings/preferences"
    private static let visibilities: [PageForm.Choice] = [
        ("public", "Public"), ("unlisted", "Unlisted: not in the public timeline"), ("private", "Followers only"),
    ]
    private static let themes: [PageForm.Choice] = [
        ("", "As the browser prefers"), ("light", "Light"), ("dark", "Dark"),
    ]

    let accounts: AccountStore
    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                pages.response(with: try page(InputValues(), nil, request, context), context)
            }
        }
        endpoints.post(Self.path, .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await change(request, context) }
        }
    }

    private func change(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await pages.input(request, context)
        return try await pages.submit(context) { refusal in
            try page(input, refusal, request, context)
        } _: {
            let draft = try draft(input)
            _ = try await ProfileEditing(accounts: accounts, limits: pages.settings.limits)
                .edit(draft, of: try context.require().account.id)
            return .seeOther(Self.path + "?saved")
        }
    }

    /// Only what the form contains. Each field is checked by itself, so that its refusal stands beside it.
    private func draft(_ input: InputValues) throws -> ProfileDraft {
        let sent = try FieldRefusal.at("source[privacy]") { try ProfileDraft(input) }
        var draft = ProfileDraft()
        (draft.defaultVisibility, draft.defaultSensitive) = (sent.defaultVisibility, sent.defaultSensitive)
        let limits = pages.settings.limits
        try FieldRefusal.at("source[privacy]") { try ProfileRule.check(draft, limits) }
        draft.defaultLanguage = sent.defaultLanguage
        try FieldRefusal.at("source[language]") { try ProfileRule.check(draft, limits) }
        draft.timeZone = try input.one("time_zone")
        try FieldRefusal.at("time_zone") { try ProfileRule.check(draft, limits) }
        draft.theme = try input.one("theme")
        try FieldRefusal.at("theme") { try ProfileRule.check(draft, limits) }
        return draft
    }

    private func page(
        _ input: InputValues, _ refusal: PageForm.Refusal?, _ request: Request, _ context: FeedContext
    ) throws -> PageContext {
        let account = try context.require().account
        let language = input["source[language]"] ?? account.defaultLanguage ?? ""
        let zone = input["time_zone"] ?? account.timeZone ?? ""
        var form = PageForm(path: Self.path, submit: "Save")
        form.fields = [
            PageForm.Field(
                "source[privacy]", "Who can see new posts", .select(Self.visibilities),
                input["source[privacy]"] ?? account.defaultVisibility.apiName),
            .check(
                "source[sensitive]", "Hide the media of new posts until people ask for them",
                input.flag("source[sensitive]") ?? account.defaultSensitive),
            PageForm.Field(
                "source[language]", "Language of new posts", .select(Self.languages(with: language)), language),
            PageForm.Field("time_zone", "Time zone", .select(Self.zones(with: zone)), zone)
                .hint("In which the pages show times, and in which you schedule posts."),
            PageForm.Field(
                "theme", "Colours of the pages", .select(Self.themes), input["theme"] ?? account.theme?.rawValue ?? ""),
        ]
        form.refusal = refusal
        var shown = try pages.settings("Preferences", request, context)
        shown.show([form])
        return shown
    }

    private static func languages(with chosen: String) -> [PageForm.Choice] {
        let known = PostLanguages.choices(with: chosen)
        return known.contains { $0.value.isEmpty } ? known : [("", "Not stated")] + known
    }

    private static func zones(with chosen: String) -> [PageForm.Choice] {
        let names =
            PageTimeZone.names.contains(chosen) || chosen.isEmpty ? PageTimeZone.names : [chosen] + PageTimeZone.names
        return [("", "UTC")] + names.map { ($0, $0.replacing("_", with: " ")) }
    }
}
