/// A report of an account to the moderators. Times are milliseconds since 1970, UTC.
package struct Report: Sendable, Equatable {
    /// The reason for a report. The raw values are stored and used in JSON.
    package enum Category: String, Sendable, CaseIterable { case spam, legal, violation, other }

    /// A decision about a report.
    package struct Resolution: Sendable, Equatable {
        package var at: Int64
        /// The moderator; `nil` if the operator resolved the report on the command line.
        package var by: Account?

        package init(at: Int64, by: Account?) {
            self.at = at
            self.by = by
        }
    }

    package var id: Int64
    package var category: Category
    /// The reporter's explanation in plain text.
    package var comment: String
    package var statusIDs: [Int64]
    package var ruleIDs: [Int64]
    package var createdAt: Int64
    package var updatedAt: Int64
    package var reporter: Account
    package var target: Account
    /// The moderator who handles the report.
    package var assignee: Account?
    package var resolution: Resolution?
    /// The reported statuses that still exist.
    package var statuses: [Status] = []

    package init(
        id: Int64, category: Category, comment: String, statusIDs: [Int64] = [], ruleIDs: [Int64] = [],
        createdAt: Int64, updatedAt: Int64, reporter: Account, target: Account, assignee: Account? = nil,
        resolution: Resolution? = nil
    ) {
        self.id = id
        self.category = category
        self.comment = comment
        self.statusIDs = statusIDs
        self.ruleIDs = ruleIDs
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.reporter = reporter
        self.target = target
        self.assignee = assignee
        self.resolution = resolution
    }
}

/// The content of a new report.
package struct ReportDraft: Sendable, Equatable {
    package var targetID: Int64
    package var comment = ""
    package var category = Report.Category.other
    package var statusIDs: [Int64] = []
    /// The violated rules of the server.
    package var ruleIDs: [Int64] = []

    package init(targetID: Int64) { self.targetID = targetID }
}

/// A change to a report.
package enum ReportChange: Sendable, CaseIterable { case assign, unassign, resolve, reopen }

/// Selects reports; `nil` selects all.
package struct ReportSelection: Sendable, Equatable {
    package var isResolved: Bool?
    package var reporterID: Int64?
    package var targetID: Int64?

    package init(isResolved: Bool? = nil, reporterID: Int64? = nil, targetID: Int64? = nil) {
        self.isResolved = isResolved
        self.reporterID = reporterID
        self.targetID = targetID
    }
}
