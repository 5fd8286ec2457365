import FeedAPI
import FeedCore
import FeedStore

/// Reports for administrators.
struct AdminReportController: Sendable {
    static let changes: [(verb: String, change: ReportChange)] = [
        ("assign_to_self", .assign), ("unassign", .unassign), ("resolve", .resolve), ("reopen", .reopen),
    ]

    let reports: ReportStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/admin/reports", .admin(.adminReadReports), use: list)
        endpoints.get("/api/v1/admin/reports/:id", .admin(.adminReadReports), use: show)
        for (verb, change) in Self.changes {
            endpoints.post("/api/v1/admin/reports/:id/" + verb, .admin(.adminWriteReports)) { request, context in
                let viewer = try context.require()
                let report = try await reports.change(
                    try context.id(), change, by: viewer.account.id)
                try context.log(change, report)
                return try response(for: report, request, viewer)
            }
        }
    }

    /// Open reports, unless `resolved` is requested. A page is as short as one of statuses, since each report may
    /// contain several of them.
    @Sendable func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let page = try Pagination(request.query, limits: settings.limits)
        let fetched = try await reports.reports(
            try ReportSelection(request.query), page: page.fetchingOneExtra, for: viewer.account.id)
        let rules = settings.site.rules
        return try Response(with: fetched, page: page, to: request, contexts.make(for: request), id: \.id) {
            $0.adminReport($1, rules: rules, $2, viewer: viewer)
        }
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let report = try await reports.report(id: try context.id(), for: viewer.account.id)
        guard let report else { throw FeedError.notFound }
        return try response(for: report, request, viewer)
    }

    private func response(for report: Report, _ request: Request, _ viewer: Viewer) throws -> Response {
        var json = JSONWriter(capacity: 4096)
        json.adminReport(report, rules: settings.site.rules, try contexts.make(for: request), viewer: viewer)
        return Response(json: json)
    }
}

extension ReportSelection {
    /// Reads `resolved`, `unresolved`, `account_id` and `target_account_id`.
    init(_ input: RequestParameters) throws(FeedError) {
        let wantsResolved = input.flag("resolved") ?? false
        let wantsOpen = input.flag("unresolved") ?? !wantsResolved
        self.init(
            isResolved: wantsResolved == wantsOpen ? nil : wantsResolved, reporterID: try input.id(.accountID),
            targetID: try input.id(.targetAccountID))
    }
}
