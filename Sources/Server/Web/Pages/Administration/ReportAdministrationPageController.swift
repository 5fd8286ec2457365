import FeedAPI
import FeedCore
import FeedStore

/// The reports, with the reported posts, which can be deleted: `/admin/reports`.
struct ReportAdministrationPageController: Sendable {
    private static let actions: [(verb: String, action: ModerationAction)] = [
        ("silence", .silence), ("suspend", .suspend),
    ]

    let reports: ReportStore
    let moderation: ModerationStore
    let statuses: StatusStore
    let pages: AdministrationPage

    func addEndpoints(to endpoints: Endpoints) {
        pages.get("/admin/reports", .adminReadReports, to: endpoints) { try await list($0, $1) }
        pages.get("/admin/reports/:id", .adminReadReports, to: endpoints) { try await show($0, $1) }
        for (verb, change) in AdminReportController.changes {
            pages.post("/admin/reports/:id/" + verb, .adminWriteReports, to: endpoints) { _, context in
                let report = try await reports.change(
                    try context.id(), change, by: try context.require().account.id)
                try context.log(change, report)
                return "/admin/reports/\(report.id)"
            }
        }
        addDeletion(to: endpoints)
        for (verb, action) in Self.actions {
            pages.post("/admin/reports/:id/" + verb, .adminWriteAccounts, to: endpoints) { _, context in
                let (report, moderator) = (try await require(context), try context.require().account.id)
                let outcome = try await moderation.perform(
                    action, on: report.target.id, by: moderator, report: report.id)
                try context.log(action, on: outcome.account)
                return "/admin/reports/\(report.id)"
            }
        }
    }

    /// Adds the question whether a reported post is to be deleted, and what deletes it, as `status remove` does.
    private func addDeletion(to endpoints: Endpoints) {
        let path = "/admin/reports/:id/statuses/:status/delete"
        pages.get(path, .adminWriteReports, to: endpoints) { try await askToDelete($0, $1) }
        pages.post(path, .adminWriteReports, to: endpoints) { _, context in
            let (report, status) = try await reported(context)
            guard try await statuses.remove(id: status.id) != nil else { throw FeedError.notFound }
            try context.log(
                "a status was removed", about: status.account, ["status": "\(status.id)", "report": "\(report.id)"])
            return "/admin/reports/\(report.id)"
        }
    }

    /// A report and the one of its posts that the path names.
    private func reported(_ context: RequestContext) async throws -> (Report, Status) {
        let (report, id) = (try await require(context), try context.id("status"))
        guard let status = report.statuses.first(where: { $0.id == id }) else { throw FeedError.notFound }
        return (report, status)
    }

    private func askToDelete(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let (report, status) = try await reported(context)
        let path = "/admin/reports/\(report.id)"
        var page = try pages.page(\.deletePost, for: request, context)
        let words = page.text.words
        var form = PageForm(path: "\(path)/statuses/\(status.id)/delete", submit: words.delete)
        form.notes = [words.deletionWarning]
        form.cancel = path
        page.show([form])
        page.setViewer(nil, at: nil)
        page.show([status])
        return page
    }

    private func require(_ context: RequestContext) async throws -> Report {
        guard let report = try await reports.report(id: try context.id(), for: try context.require().account.id) else {
            throw FeedError.notFound
        }
        return report
    }

    /// The open reports, unless the query selects others.
    private func list(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let query = try request.query
        let page = try Pagination(query, limits: pages.pages.settings.limits)
        let fetched = try await reports.reports(try ReportSelection(query), page: page.fetchingOneExtra, for: nil)
        let (found, hasOlder) = page.split(fetched)
        var shown = try pages.page({ $0.tab(.reports) }, for: request, context)
        shown.setTools([
            PageNavigation.Link(path: "/admin/reports", label: shown.text.openReports),
            PageNavigation.Link(path: "/admin/reports?resolved=true", label: shown.text.resolvedReports),
        ])
        shown.showRows(found.map { TemplateValues($0, shown.text) })
        if found.isEmpty { shown.setEmpty(shown.text.noSuchReports) }
        shown.setPages(
            page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder,
            filters: query.filters(["resolved", "unresolved", "account_id", "target_account_id"]))
        return shown
    }

    /// A report with its posts of any visibility, without the buttons that members have.
    private func show(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let report = try await require(context)
        var page = try pages.page({ $0.adminReport(of: report.target.username) }, for: request, context)
        page.show(report.facts(rules: pages.pages.settings.site.rules, page.text))
        page.setTools(buttons: report.buttons(page.text))
        page.set(.backURL, "/admin/reports")
        page.set(.backText, page.text.openReports)
        guard !report.statuses.isEmpty else { return page }
        page.setViewer(nil, at: nil)
        page.set(.postsHeading, page.text.reportedPosts)
        page.show(
            report.statuses,
            adding: { $0.set(.removalURL, "/admin/reports/\(report.id)/statuses/\($1.id)/delete") })
        return page
    }
}

extension RequestParameters {
    /// The given values of a query that selects entries, for the links to other pages.
    func filters(_ names: [String]) -> [(name: String, value: String)] {
        names.compactMap { name in self[name]?.nonEmpty.map { (name, $0) } }
    }
}

/// The texts of the operator's page about a report.
enum ReportFact: Sendable {
    case reported, by, when, reason, state, comment, rules, deletedPosts
}

extension Report {
    fileprivate func state(_ text: any PageText) -> String {
        guard let resolution else {
            return assignee.map { text.openReport(assignedTo: $0.username) } ?? text.openReport
        }
        return text.resolved(by: resolution.by?.username, at: PageDate.full(resolution.at, text))
    }

    /// - Parameter rules: The rules of the site.
    fileprivate func facts(rules: [String], _ text: any PageText) -> [AdminFact] {
        let violated = ruleIDs.compactMap { id in
            Int(exactly: id - 1).flatMap { rules.indices.contains($0) ? rules[$0] : nil }
        }
        let gone = statusIDs.count - statuses.count
        let accounts = [(ReportFact.reported, target), (.by, reporter)].map { fact, account in
            AdminFact(
                name: text.reportFact(fact), value: "@" + account.username, path: "/admin/accounts/\(account.id)")
        }
        let rows: [(ReportFact, String?)] = [
            (.when, PageDate.full(createdAt, text)), (.reason, text.name(of: category)), (.state, state(text)),
            (.comment, comment.nonEmpty), (.rules, violated.joined(separator: "\n").nonEmpty),
            (.deletedPosts, gone > 0 ? String(gone) : nil),
        ]
        return accounts
            + rows.compactMap { fact, value in value.map { AdminFact(name: text.reportFact(fact), value: $0) } }
    }

    fileprivate func buttons(_ text: any PageText) -> [PageButton] {
        let path = "/admin/reports/\(id)/"
        let name = "@" + target.username
        return [
            resolution == nil
                ? PageButton(path: path + "resolve", label: text.resolve, isMain: true)
                : PageButton(path: path + "reopen", label: text.reopen),
            assignee == nil
                ? PageButton(path: path + "assign_to_self", label: text.assignToMe)
                : PageButton(path: path + "unassign", label: text.unassign),
            target.silencedAt == nil ? PageButton(path: path + "silence", label: text.silencing(name)) : nil,
            target.suspendedAt == nil ? PageButton(path: path + "suspend", label: text.suspending(name)) : nil,
        ].compactMap(\.self)
    }
}

extension TemplateValues {
    fileprivate init(_ report: Report, _ text: any PageText) {
        self.init(
            row: text.reportTitle(report.reporter.username, report.target.username, report.category),
            at: "/admin/reports/\(report.id)")
        self[.rowFacts] = .texts([report.state(text)])
        set(.excerpt, report.comment.nonEmpty)
        set(.datetime, ISO8601.text(milliseconds: report.createdAt))
        set(.dateText, PageDate.full(report.createdAt, text))
    }
}
