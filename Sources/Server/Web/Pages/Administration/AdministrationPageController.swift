import FeedAPI
import FeedCore
import FeedStore

/// The operator's overview of the server: sign-ups and reports that wait, load and sizes, the newest failed logins, and
/// the settings.
struct AdministrationPageController: Sendable {
    let registrations: RegistrationStore
    let reports: ReportStore
    let monitoring: Monitoring
    let pages: AdministrationPage

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
