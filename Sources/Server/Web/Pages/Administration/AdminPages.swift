import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// Makes the operator's pages, under `/admin`. They do not exist for accounts that are not administrators.
struct AdminPages: Sendable {
    typealias Page = @Sendable (Request, RequestContext) async throws -> PageContext
    /// Performs what a form asks for, and returns the path of the page that follows.
    typealias Action = @Sendable (Request, RequestContext) async throws -> String

    let pages: MemberPages

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
    /// Where the value comes from.
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

/// What the operator sees of the server: what waits for a decision, load and sizes, the newest failed logins, and the
/// settings.
struct AdminOverviewPageController: Sendable {
    let registrations: RegistrationStore
    let reports: ReportStore
    let monitoring: Monitoring
    let pages: AdminPages

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin", .adminReadAccounts, to: endpoints) { try await overview($0, $1) }
        pages.get("/admin/logins", .adminReadAccounts, to: endpoints) { try logins($0, $1) }
        pages.get("/admin/settings", .adminReadAccounts, to: endpoints) { try settings($0, $1) }
    }

    private func overview(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        var page = try pages.page(\.words.administration, for: request, context)
        let (signUps, open) = (try await registrations.pending().count, try await reports.openCount())
        let text = page.text
        let load = await monitoring.load()
        page.show(
            load.map { AdminFact(name: text.translated($0.label), value: text.translated($0.text)) }, heading: text.load
        )
        var toDo = TemplateValues()
        toDo.set(.rowsHeading, text.toDo)
        toDo[.rows] = .list([
            TemplateValues(row: text.signUpsToApprove(signUps), at: "/admin/sign-ups"),
            TemplateValues(row: text.reportsToResolve(open), at: "/admin/reports"),
        ])
        page.set(.toDo, .object(toDo))
        return page
    }

    private func logins(_ request: Request, _ context: RequestContext) throws -> PageContext {
        var page = try pages.page({ $0.tab(.logins) }, for: request, context)
        let failures = monitoring.failedLogins.newest
        page.showRows(failures.map { TemplateValues($0, page.text) })
        if failures.isEmpty { page.setEmpty(page.text.noFailedLogins) }
        return page
    }

    private func settings(_ request: Request, _ context: RequestContext) throws -> PageContext {
        var page = try pages.page(\.settingsInForce, for: request, context)
        let text = page.text
        page.show(
            monitoring.settings().map {
                AdminFact(name: $0.name, value: $0.value.shown(text), note: text.source($0.source))
            })
        return page
    }
}

extension TemplateValues {
    fileprivate init(_ failed: FailedLogins.Entry, _ text: any PageText) {
        self.init(row: failed.failure.name, at: nil)
        self[.rowFacts] = .texts([text.failure(failed.failure.reason), text.from(failed.failure.address)])
        set(.datetime, ISO8601.text(milliseconds: failed.time))
        set(.dateText, PageDate.full(failed.time, text))
    }
}

extension EffectiveSetting.Value {
    fileprivate func shown(_ text: any PageText) -> String {
        switch self {
        case .unset: text.notSet
        case .text(let value): value
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let texts): texts.isEmpty ? text.nothing : texts.joined(separator: ", ")
        }
    }
}
