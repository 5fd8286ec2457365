import FeedCore
import HTTPTypes

/// Makes the operator's pages, under `/admin`. They do not exist for accounts that are not administrators.
struct AdministrationPage: Sendable {
    typealias Page = @Sendable (Request, RequestContext) async throws -> PageContext
    /// Performs what a form asks for, and returns the path of the page that follows.
    typealias Action = @Sendable (Request, RequestContext) async throws -> String

    let pages: MemberPage

    /// A page with both navigations, but without content.
    func page(
        _ title: (any PageText) -> String, for request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var page = try pages.page(title, for: request, context)
        let path = request.uri.path
        page.set(.administration, true)
        page.set(.tabs, .list(AdminTab.allCases.map { TemplateValues($0, isCurrent: $0.contains(path), page.text) }))
        return page
    }

    func get(_ path: String, _ scope: Scope, to endpoints: Endpoints, _ page: @escaping Page) {
        endpoints.get(path, .administrator(scope)) { request, context in
            try await pages.errors.form { pages.response(with: try await page(request, context), context) }
        }
    }

    func post(_ path: String, _ scope: Scope, to endpoints: Endpoints, _ action: @escaping Action) {
        endpoints.post(path, .administrator(scope)) { request, context in
            try await pages.errors.form {
                Response(status: .seeOther, headers: [.location: try await action(request, context)])
            }
        }
    }
}

/// A part of the operator's pages. The raw values are the paths.
enum AdminTab: String, CaseIterable, Sendable {
    case overview = "/admin"
    case signUps = "/admin/sign-ups"
    case invitations = "/admin/invitations"
    case accounts = "/admin/accounts"
    case reports = "/admin/reports"
    case logins = "/admin/logins"
    case settings = "/admin/settings"

    /// Whether a page belongs to the tab.
    fileprivate func contains(_ page: String) -> Bool {
        page == rawValue || self != .overview && page.utf8.starts(with: (rawValue + "/").utf8)
    }
}

extension TemplateValues {
    fileprivate init(_ tab: AdminTab, isCurrent: Bool, _ text: any PageText) {
        self.init()
        set(.tabURL, tab.rawValue)
        set(.tabLabel, text.tab(tab))
        set(.tabIsCurrent, isCurrent)
    }
}

/// A fact on one of the operator's pages.
struct AdminFact: Sendable {
    let name: String
    let value: String
    /// The page of the value.
    var path: String?
    /// The origin of the value.
    var note: String?
}

extension PageContext {
    /// Shows facts below the navigation.
    mutating func show(_ facts: [AdminFact], heading: String? = nil) {
        var section = TemplateValues()
        section.set(.factHeading, heading)
        section[.facts] = .list(
            facts.map { fact in
                var values = TemplateValues()
                values.set(.factName, fact.name)
                values.set(.factValue, fact.value)
                values.set(.factURL, fact.path)
                values.set(.factNote, fact.note)
                return values
            })
        set(.factSheet, .object(section))
    }
}
