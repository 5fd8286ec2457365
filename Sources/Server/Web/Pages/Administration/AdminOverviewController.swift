import FeedAPI
import FeedCore
import FeedStore

/// What the operator sees of the server: what waits for a decision, load and sizes, the newest failed logins, and the
/// settings.
struct AdminOverviewController: Sendable {
    let registrations: RegistrationStore
    let reports: ReportStore
    let monitoring: Monitoring
    let pages: AdminPages

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin", .adminReadAccounts, to: endpoints) { try await overview($0, $1) }
        pages.get("/admin/logins", .adminReadAccounts, to: endpoints) { try logins($0, $1) }
        pages.get("/admin/settings", .adminReadAccounts, to: endpoints) { try settings($0, $1) }
    }

    private func overview(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        var page = try pages.page("Administration", for: request, context)
        let (signUps, open) = (try await registrations.pending().count, try await reports.openCount())
        page.show(await monitoring.load().map { AdminFact(name: $0.label, value: $0.text) }, heading: "Load and sizes")
        var toDo = TemplateValues()
        toDo.set(.rowsHeading, "To do")
        toDo[.rows] = .list([
            TemplateValues(row: Self.text(signUps, "sign-up", "to approve"), at: "/admin/sign-ups"),
            TemplateValues(row: Self.text(open, "report", "to resolve"), at: "/admin/reports"),
        ])
        page.set(.toDo, .object(toDo))
        return page
    }

    private static func text(_ count: Int, _ noun: String, _ rest: String) -> String {
        count == 0 ? "No \(noun)s \(rest)" : "\(count) \(noun)\(count == 1 ? "" : "s") \(rest)"
    }

    private func logins(_ request: Request, _ context: FeedContext) throws -> PageContext {
        var page = try pages.page("Failed logins", for: request, context)
        let failures = monitoring.failedLogins.newest
        page.showRows(failures.map { TemplateValues($0) })
        if failures.isEmpty { page.setEmpty("None since this server was started.") }
        return page
    }

    private func settings(_ request: Request, _ context: FeedContext) throws -> PageContext {
        var page = try pages.page("Settings in force", for: request, context)
        page.show(
            monitoring.settings().map { AdminFact(name: $0.name, value: $0.value.text, note: $0.source.text) })
        return page
    }
}

extension TemplateValues {
    fileprivate init(_ failed: FailedLogins.Entry) {
        self.init(row: failed.failure.name, at: nil)
        self[.rowFacts] = .texts([failed.failure.reason.rawValue, "from \(failed.failure.address)"])
        set(.datetime, ISO8601.text(milliseconds: failed.time))
        set(.dateText, PageDate.full(failed.time))
    }
}

extension EffectiveSetting.Value {
    fileprivate var text: String {
        switch self {
        case .unset: "not set"
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
        }
    }
}
