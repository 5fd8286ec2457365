/// The rules for reports. As in Mastodon, an account may report itself.
package enum ReportRule {
    /// The maximum number of statuses in one report.
    package static let maximumStatuses = 40
    private static let maximumRules = 40
    private static let commentCharacters = 1000
    /// A single character can have any number of bytes.
    private static let commentBytes = 10_000

    /// Validates a report.
    /// - Parameter rules: The ids of the server's rules.
    /// - Throws: ``FeedError`` `.invalid`.
    package static func check(_ draft: ReportDraft, rules: Set<Int64>) throws(FeedError) {
        guard draft.comment.count <= commentCharacters, draft.comment.utf8.count <= commentBytes else {
            throw .invalid("Comment is longer than \(commentCharacters) characters")
        }
        guard draft.statusIDs.count <= maximumStatuses else {
            throw .invalid("A report cannot have more than \(maximumStatuses) statuses")
        }
        guard draft.ruleIDs.count <= maximumRules, draft.ruleIDs.allSatisfy(rules.contains) else {
            throw .invalid("Rule ids does not reference valid rules")
        }
    }

    /// The category of a report. As in Mastodon, a report that refers to rules is about their violation.
    package static func category(_ wanted: Report.Category?, ruleIDs: [Int64]) -> Report.Category {
        ruleIDs.isEmpty ? wanted ?? .other : .violation
    }

    /// Whether an account can be reported; the moderators have already acted on a suspended one.
    package static func accepts(_ target: Account) -> Bool { target.suspendedAt == nil }

    /// Whether a status, or a boost, can be part of a report of an account.
    package static func accepts(_ status: Status, of target: Int64) -> Bool {
        (status.boost?.account ?? status.account).id == target
    }
}
