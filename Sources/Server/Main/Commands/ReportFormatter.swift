import FeedAPI
import FeedCore
import FeedTerminal

/// Formats reports for the command line.
enum ReportFormatter {
    /// One line with the facts, and one with the comment and the statuses, if there are any.
    static func text(_ report: Report) -> String {
        let state = report.resolution == nil ? "" : ", resolved"
        let facts = """
            \(report.id)  \(ISO8601.text(milliseconds: report.createdAt))  \(report.reporter.username) reports \
            \(report.target.username) (\(report.category.rawValue)\(state))
            """
        let comment = report.comment.isEmpty ? nil : "comment: " + SafeText.line(report.comment)
        let statuses =
            report.statusIDs.isEmpty ? nil : "statuses: " + report.statusIDs.map(String.init).joined(separator: " ")
        return ([facts] + [comment, statuses].compactMap { $0.map { "    " + $0 } }).joined(separator: "\n")
    }

    static func json(_ report: Report) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("id", id: report.id)
            $0.field("created_at", time: report.createdAt)
            $0.field("account", report.reporter.username)
            $0.field("target_account", report.target.username)
            $0.field("category", report.category.rawValue)
            $0.field("comment", report.comment)
            $0.array("status_ids") { for id in report.statusIDs { $0.string(String(id)) } }
            $0.array("rule_ids") { for id in report.ruleIDs { $0.string(String(id)) } }
            $0.field("assigned_account", report.assignee?.username)
            $0.field("resolved_at", time: report.resolution?.at)
            $0.field("resolved_by", report.resolution?.by?.username)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
