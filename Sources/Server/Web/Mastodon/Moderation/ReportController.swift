import FeedAPI
import FeedCore
import FeedStore

/// Reports of accounts to the moderators.
struct ReportController: Sendable {
    let reports: ReportStore
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post("/api/v1/reports", .account(.writeReports), use: create)
    }

    @Sendable func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.longFormBytes, context: context)
        guard let target = try input.id(.accountID) else { throw FeedError.notFound }
        let draft = try ReportDraft(input, of: target)
        try ReportRule.check(draft, ruleCount: settings.site.rules.count)
        let report = try await reports.create(draft, by: viewer.account.id)
        var json = JSONWriter()
        json.report(report, try contexts.make(for: request))
        return Response(json: json)
    }
}

extension ReportDraft {
    /// Reads the parameters of a new report. `forward` is ignored, because there is no other server.
    /// - Throws: ``FeedError`` `.notFound` for an id that is not a number, `.invalid` for an unknown category or too
    ///   many ids.
    init(_ input: RequestParameters, of target: Int64) throws(FeedError) {
        self.init(targetID: target)
        comment = try input.one("comment") ?? ""
        statusIDs = try Self.ids(input, .statusIDs)
        ruleIDs = try Self.ids(input, .ruleIDs)
        var wanted: Report.Category?
        if let word = try input.one("category"), !word.isEmpty {
            wanted = Report.Category(rawValue: word)
            guard wanted != nil else { throw .invalid("Category is not included in the list") }
        }
        category = ReportRule.category(wanted, ruleIDs: ruleIDs)
    }

    /// The distinct ids of a list.
    private static func ids(_ input: RequestParameters, _ parameter: IntegerParameter) throws(FeedError) -> [Int64] {
        var ids: [Int64] = []
        for text in input.all(parameter.rawValue) where !text.isEmpty {
            guard text.isDigits, let id = Int64(text) else { throw .notFound }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}

extension JSONWriter {
    /// Writes a Report entity.
    mutating func report(_ report: Report, _ entities: EntityContext) {
        object {
            $0.reportFields(report)
            $0.array("status_ids") { for id in report.statusIDs { $0.string(String(id)) } }
            $0.array("rule_ids") { for id in report.ruleIDs { $0.string(String(id)) } }
            $0.key("target_account")
            $0.account(report.target, entities)
        }
    }

    /// Writes an Admin::Report entity.
    /// - Parameters:
    ///   - rules: The rules of this server.
    ///   - viewer: The moderator.
    mutating func adminReport(_ report: Report, rules: [String], _ entities: EntityContext, viewer: Viewer) {
        object {
            $0.reportFields(report)
            $0.field("updated_at", time: report.updatedAt)
            $0.key("account")
            $0.adminAccount(report.reporter, entities)
            $0.key("target_account")
            $0.adminAccount(report.target, entities)
            $0.key("assigned_account")
            $0.adminAccountOrNull(report.assignee, entities)
            $0.key("action_taken_by_account")
            $0.adminAccountOrNull(report.resolution?.by, entities)
            $0.key("statuses")
            $0.statuses(report.statuses, entities, viewer: viewer)
            $0.array("rules") { for id in report.ruleIDs { $0.rule(id, of: rules) } }
        }
    }

    /// The fields that both entities have.
    private mutating func reportFields(_ report: Report) {
        field("id", id: report.id)
        field("action_taken", report.resolution != nil)
        field("action_taken_at", time: report.resolution?.at)
        field("category", report.category.rawValue)
        field("comment", report.comment)
        field("forwarded", false)
        field("created_at", time: report.createdAt)
    }

    /// Writes a Rule entity, unless the rule no longer exists.
    private mutating func rule(_ id: Int64, of rules: [String]) {
        let index = Int(id) &- 1
        if rules.indices.contains(index) { rule(id: id, rules[index]) }
    }
}

extension ReportRule {
    /// - Parameter ruleCount: The number of rules of the server. The id of a rule is its position, counted from 1.
    static func check(_ draft: ReportDraft, ruleCount: Int) throws(FeedError) {
        try check(draft, rules: Set((0..<ruleCount).map { Int64($0) + 1 }))
    }
}
