/// A notification.
package struct Notification: Sendable, Equatable {
    /// The kind of a notification. The raw values are stored and used in JSON.
    package enum Kind: String, Sendable, CaseIterable {
        case mention, follow, favourite, reblog, update, status, poll
        case followRequest = "follow_request"
        /// For administrators: somebody signed up, or reported an account.
        case adminSignUp = "admin.sign_up"
        case adminReport = "admin.report"

        /// The kinds for administrators.
        package static let forModerators = allCases.filter(\.isForModerators)

        package var isForModerators: Bool { self == .adminSignUp || self == .adminReport }
    }

    package var id: Int64
    package var kind: Kind
    /// The account that caused the notification.
    package var from: Account
    package var status: Status?
    package var report: Report?
    /// The key of the group to which it belongs, or one of its own.
    package var groupKey: String

    package init(
        id: Int64, kind: Kind, from: Account, status: Status? = nil, report: Report? = nil, groupKey: String
    ) {
        self.id = id
        self.kind = kind
        self.from = from
        self.status = status
        self.report = report
        self.groupKey = groupKey
    }

    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64 { id >> 16 }
}

/// A filter for notifications.
package struct NotificationFilter: Sendable {
    package var kinds: Set<Notification.Kind>
    /// Only notifications caused by this account.
    package var from: Int64?
    /// The kinds that are grouped, as far as the server groups them.
    package var groupedKinds: Set<Notification.Kind>

    package init(
        kinds: Set<Notification.Kind> = Set(Notification.Kind.allCases), from: Int64? = nil,
        groupedKinds: Set<Notification.Kind> = NotificationGroupKey.groupedKinds
    ) {
        self.kinds = kinds
        self.from = from
        self.groupedKinds = groupedKinds
    }
}
