import FeedAPI
import FeedCore

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
