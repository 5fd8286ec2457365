import FeedCore
import FeedStore

/// The page about this server: what it is for, its rules, who runs it, and how to take part.
struct AboutPageController: Sendable {
    private static let maximumAdmins = 20
    private static let maximumPeople = 24

    let pages: PageController
    let suggestions: SuggestionStore

    func addEndpoints(to endpoints: Endpoints) { endpoints.get("/about", .open, use: about) }

    @Sendable private func about(_ request: Request, _ context: RequestContext) async throws -> Response {
        var page = try pages.newPage(for: request, context)
        let admins = try await pages.accounts.admins(limit: Self.maximumAdmins)
        let people = try await suggestions.directory(
            .active, limit: Self.maximumPeople, offset: 0, for: context.reader?.id)
        page.template = "about"
        let heading = page.text.about(page.site.title)
        page.setTitle(heading, heading: heading)
        page.set(.description, page.site.text)
        page.setCanonical("/about")
        page.set(.rules, .texts(page.site.rules))
        page.set(.hasRules, !page.site.rules.isEmpty)
        page.set(.signUpText, page.text.signUpText(pages.settings.registration.mode))
        page.set(.server, page.base)
        page.show(people: [(page.text.runBy, admins), (page.text.people, people)])
        return pages.response(with: page, context)
    }
}

extension PageContext {
    /// Shows groups of accounts, except empty ones.
    fileprivate mutating func show(people groups: [(label: String, accounts: [Account])]) {
        let shown = groups.filter { !$0.accounts.isEmpty }.map { group in
            var values = TemplateValues()
            values.set(.label, group.label)
            values[.people] = .list(group.accounts.map { TemplateValues($0, emoji) })
            return values
        }
        set(.groups, .list(shown))
    }
}
