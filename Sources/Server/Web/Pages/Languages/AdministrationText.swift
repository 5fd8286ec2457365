import FeedCore

/// The operator's pages.
protocol AdministrationText: Sendable {
    func tab(_ tab: AdminTab) -> String
    var load: String { get }
    var toDo: String { get }
    func signUpsToApprove(_ count: Int) -> String
    func reportsToResolve(_ count: Int) -> String
    var noFailedLogins: String { get }
    func failure(_ reason: LoginFailure.Reason) -> String
    func from(_ address: String) -> String
    var settingsInForce: String { get }
    func source(_ source: EffectiveSetting.Source) -> String
    var notSet: String { get }
    var nothing: String { get }

    // Sign-ups and invitations
    var nobodyAwaitsApproval: String { get }
    var approve: String { get }
    func used(_ uses: Int, of maximum: Int) -> String
    var ended: String { get }
    func lasts(until time: String) -> String
    func by(_ name: String) -> String

    // Accounts
    var noSuchAccounts: String { get }
    var allAccounts: String { get }
    func mark(_ mark: AccountMark) -> String
    var active: String { get }
    func state(_ state: AccountSelection.State) -> String
    var anyState: String { get }
    func role(_ role: Account.Role) -> String
    func fact(_ fact: AccountFact) -> String
    var passwordIsSet: String { get }
    func joinedIn(_ month: String) -> String
    var makeReset: String { get }
    func of(_ name: String) -> String
    var silence: String { get }
    var unsilence: String { get }
    var suspend: String { get }
    var restore: String { get }
    var promote: String { get }
    var remove: String { get }
    var removeForGood: String { get }
    func removeQuestion(_ name: String) -> String
    func removalWarning(of name: String) -> String
    func otherNameStays(_ name: String) -> String
    var demote: String { get }

    // Reports
    var openReports: String { get }
    var resolvedReports: String { get }
    var noSuchReports: String { get }
    func adminReport(of name: String) -> String
    var reportedPosts: String { get }
    func reportTitle(_ reporter: String, _ target: String, _ category: Report.Category) -> String
    func name(of category: Report.Category) -> String
    var openReport: String { get }
    func openReport(assignedTo name: String) -> String
    func resolved(by name: String?, at time: String) -> String
    func reportFact(_ fact: ReportFact) -> String
    var resolve: String { get }
    var reopen: String { get }
    var assignToMe: String { get }
    var unassign: String { get }
    func silencing(_ name: String) -> String
    func suspending(_ name: String) -> String
}
