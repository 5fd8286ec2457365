import FeedAPI
import FeedCore
import FeedStore

/// The reports, with the reported posts, which can be deleted: `/admin/reports`.
struct AdminReportPageController: Sendable {
    private static let actions: [(verb: String, action: ModerationAction)] = [
        ("silence", .silence), ("suspend", .suspend),
    ]

    let reports: ReportStore
    let moderation: ModerationStore
    let statuses: StatusStore
    let pages: AdminPages

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
    private func reported(_ context: FeedContext) async throws -> (Report, Status) {
        let (report, id) = (try await require(context), try context.id("status"))
        guard let status = report.statuses.first(where: { $0.id == id }) else { throw FeedError.notFound }
        return (report, status)
    }

    private func askToDelete(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        let (report, status) = try await reported(context)
        let path = "/admin/reports/\(report.id)"
        var form = PageForm(path: "\(path)/statuses/\(status.id)/delete", submit: "Delete")
        form.notes = [
            "The post disappears for everyone, with its favourites, boosts and votes. This cannot be undone."
        ]
        form.cancel = path
        var page = try pages.page("Delete this post?", for: request, context)
        page.show([form])
        page.setViewer(nil, at: nil)
        page.show([status])
        return page
    }

    private func require(_ context: FeedContext) async throws -> Report {
        guard let report = try await reports.report(id: try context.id(), for: try context.require().account.id) else {
            throw FeedError.notFound
        }
        return report
    }

    /// The open reports, unless the query selects others.
    private func list(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        let query = try request.query
        let page = try Pagination(query, limits: pages.pages.settings.limits)
        let fetched = try await reports.reports(try ReportSelection(query), page: page.fetchingOneExtra, for: nil)
        let (found, hasOlder) = page.split(fetched)
        var shown = try pages.page("Reports", for: request, context)
        shown.setTools([
            PageNavigation.Link(path: "/admin/reports", label: "Open reports"),
            PageNavigation.Link(path: "/admin/reports?resolved=true", label: "Resolved reports"),
        ])
        shown.showRows(found.map { TemplateValues($0) })
        if found.isEmpty { shown.setEmpty("No such reports.") }
        shown.setPages(
            page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder,
            filters: query.filters(["resolved", "unresolved", "account_id", "target_account_id"]))
        return shown
    }

    /// A report with its posts, whoever may see them, without what members can do with posts.
    private func show(_ request: Request, _ context: FeedContext) async throws -> PageContext {
        let report = try await require(context)
        var page = try pages.page("Report of @\(report.target.username)", for: request, context)
        page.show(report.facts(rules: pages.pages.settings.site.rules))
        page.setTools(buttons: report.buttons)
        page.set(.backURL, "/admin/reports")
        page.set(.backText, "Open reports")
        guard !report.statuses.isEmpty else { return page }
        page.setViewer(nil, at: nil)
        page.set(.postsHeading, "Reported posts")
        page.show(
            report.statuses,
            adding: { $0.set(.removalURL, "/admin/reports/\(report.id)/statuses/\($1.id)/delete") })
        return page
    }
}

extension InputValues {
    /// The given values of a query that selects entries, for the links to other pages.
    func filters(_ names: [String]) -> [(name: String, value: String)] {
        names.compactMap { name in self[name]?.nonEmpty.map { (name, $0) } }
    }
}

extension Report {
    fileprivate var title: String {
        "@\(reporter.username) reports @\(target.username): \(category.rawValue)"
    }

    fileprivate var state: String {
        guard let resolution else { return assignee.map { "open, assigned to @" + $0.username } ?? "open" }
        let by = resolution.by.map { "@" + $0.username } ?? "the operator"
        return "resolved by \(by), \(PageDate.full(resolution.at))"
    }

    /// - Parameter rules: The rules of the site.
    fileprivate func facts(rules: [String]) -> [AdminFact] {
        let violated = ruleIDs.compactMap { id in
            Int(exactly: id - 1).flatMap { rules.indices.contains($0) ? rules[$0] : nil }
        }
        let gone = statusIDs.count - statuses.count
        let facts = [
            AdminFact(name: "Reported", value: "@" + target.username, path: "/admin/accounts/\(target.id)"),
            AdminFact(name: "By", value: "@" + reporter.username, path: "/admin/accounts/\(reporter.id)"),
            AdminFact(name: "When", value: PageDate.full(createdAt)),
            AdminFact(name: "Reason", value: category.rawValue), AdminFact(name: "State", value: state),
        ]
        let more = [
            comment.nonEmpty.map { AdminFact(name: "Comment", value: $0) },
            violated.isEmpty ? nil : AdminFact(name: "Rules", value: violated.joined(separator: "\n")),
            gone > 0 ? AdminFact(name: "Deleted posts", value: String(gone)) : nil,
        ]
        return facts + more.compactMap(\.self)
    }

    fileprivate var buttons: [PageButton] {
        let path = "/admin/reports/\(id)/"
        let name = "@" + target.username
        return [
            resolution == nil
                ? PageButton(path: path + "resolve", label: "Resolve", isMain: true)
                : PageButton(path: path + "reopen", label: "Reopen"),
            assignee == nil
                ? PageButton(path: path + "assign_to_self", label: "Assign to me")
                : PageButton(path: path + "unassign", label: "Unassign"),
            target.silencedAt == nil ? PageButton(path: path + "silence", label: "Silence \(name)") : nil,
            target.suspendedAt == nil ? PageButton(path: path + "suspend", label: "Suspend \(name)") : nil,
        ].compactMap(\.self)
    }
}

extension TemplateValues {
    fileprivate init(_ report: Report) {
        self.init(row: report.title, at: "/admin/reports/\(report.id)")
        self[.rowFacts] = .texts([report.state])
        set(.excerpt, report.comment.nonEmpty)
        set(.datetime, ISO8601.text(milliseconds: report.createdAt))
        set(.dateText, PageDate.full(report.createdAt))
    }
}
