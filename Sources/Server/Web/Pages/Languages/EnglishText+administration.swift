import FeedCore

extension EnglishText {
    func tab(_ tab: AdminTab) -> String {
        switch tab {
        case .overview: "Overview"
        case .signUps: "Sign-ups"
        case .invitations: "Invitations"
        case .accounts: "Accounts"
        case .reports: "Reports"
        case .logins: "Failed logins"
        case .settings: "Settings"
        }
    }

    var load: String { "Load and sizes" }
    var toDo: String { "To do" }
    func signUpsToApprove(_ count: Int) -> String {
        count == 0 ? "No sign-ups to approve" : count == 1 ? "1 sign-up to approve" : "\(count) sign-ups to approve"
    }
    func reportsToResolve(_ count: Int) -> String {
        count == 0 ? "No reports to resolve" : count == 1 ? "1 report to resolve" : "\(count) reports to resolve"
    }
    var noFailedLogins: String { "None since this server was started." }

    func failure(_ reason: LoginFailure.Reason) -> String {
        switch reason {
        case .unknownName: "unknown name"
        case .wrongPassword: "wrong password"
        case .suspended: "suspended"
        case .pending: "awaits approval"
        case .tooLong: "name or password too long"
        case .throttled: "too many failures"
        case .unavailable: "unavailable"
        }
    }

    func from(_ address: String) -> String { "from \(address)" }
    var settingsInForce: String { "Settings in force" }
    func source(_ source: EffectiveSetting.Source) -> String { source.text }
    var notSet: String { "not set" }
    var nothing: String { "none" }

    // Sign-ups and invitations

    var nobodyAwaitsApproval: String { "Nobody awaits approval." }
    var approve: String { "Approve" }
    func used(_ uses: Int, of maximum: Int) -> String { "used \(uses) of \(maximum)" }
    var ended: String { "ended" }
    func lasts(until time: String) -> String { "until \(time)" }
    func by(_ name: String) -> String { "by @\(name)" }

    // Accounts

    var noSuchAccounts: String { "No such accounts." }
    var allAccounts: String { "All accounts" }

    func mark(_ mark: AccountMark) -> String {
        switch mark {
        case .administrator: "admin"
        case .pending: "awaits approval"
        case .suspended: "suspended"
        case .silenced: "silenced"
        }
    }

    var active: String { "active" }

    func state(_ state: AccountSelection.State) -> String {
        switch state {
        case .active: "Active"
        case .silenced: "Silenced"
        case .suspended: "Suspended"
        case .pending: "Awaiting approval"
        case .disabled: "Disabled"
        }
    }

    var anyState: String { "Any" }

    func role(_ role: Account.Role) -> String {
        switch role {
        case .member: "member"
        case .admin: "admin"
        }
    }

    func fact(_ fact: AccountFact) -> String {
        switch fact {
        case .name: "Name"
        case .email: "Email"
        case .role: "Role"
        case .state: "State"
        case .password: "Password"
        case .joined: "Joined"
        case .lastPost: "Last post"
        case .posts: "Posts"
        case .followers: "Followers"
        case .reason: "Reason to join"
        }
    }

    var passwordIsSet: String { "set" }
    func joinedIn(_ month: String) -> String { "joined \(month)" }
    var makeReset: String { "Make a link for a new password" }
    func of(_ name: String) -> String { "of \(name)" }
    var silence: String { "Silence" }
    var unsilence: String { "No longer silence" }
    var suspend: String { "Suspend" }
    var restore: String { "Restore" }
    var promote: String { "Make an administrator" }
    var remove: String { "Remove" }
    var removeForGood: String { "Remove the account for good" }
    func removeQuestion(_ name: String) -> String { "Remove @\(name)?" }
    func removalWarning(of name: String) -> String {
        """
        The profile, posts, files, follows, favourites, notifications and logins of @\(name) are deleted, for everyone. \
        This cannot be undone.
        """
    }
    func otherNameStays(_ name: String) -> String { "Nobody else can have the name @\(name)." }
    var demote: String { "Make a member" }

    // Reports

    var openReports: String { "Open reports" }
    var resolvedReports: String { "Resolved reports" }
    var noSuchReports: String { "No such reports." }
    func adminReport(of name: String) -> String { "Report of @\(name)" }
    var reportedPosts: String { "Reported posts" }
    func reportTitle(_ reporter: String, _ target: String, _ category: Report.Category) -> String {
        "@\(reporter) reports @\(target): \(name(of: category))"
    }

    func name(of category: Report.Category) -> String {
        switch category {
        case .spam: "spam"
        case .legal: "legal"
        case .violation: "violation"
        case .other: "other"
        }
    }

    var openReport: String { "open" }
    func openReport(assignedTo name: String) -> String { "open, assigned to @\(name)" }
    func resolved(by name: String?, at time: String) -> String {
        "resolved by \(name.map { "@" + $0 } ?? "the operator"), \(time)"
    }

    func reportFact(_ fact: ReportFact) -> String {
        switch fact {
        case .reported: "Reported"
        case .by: "By"
        case .when: "When"
        case .reason: "Reason"
        case .state: "State"
        case .comment: "Comment"
        case .rules: "Rules"
        case .deletedPosts: "Deleted posts"
        }
    }

    var resolve: String { "Resolve" }
    var reopen: String { "Reopen" }
    var assignToMe: String { "Assign to me" }
    var unassign: String { "Unassign" }
    func silencing(_ name: String) -> String { "Silence \(name)" }
    func suspending(_ name: String) -> String { "Suspend \(name)" }
}
