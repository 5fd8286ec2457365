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

/// Stores notifications.
package protocol NotificationStoring: Sendable {
    /// A page of an account's notifications, newest first. Notifications from silenced accounts that the account does
    /// not follow are withheld.
    func notifications(of account: Int64, page: Pagination, _ filter: NotificationFilter) async throws -> Page<
        Notification
    >
    /// - Returns: The notification, or `nil` if it does not belong to `account` or may no longer be shown.
    func notification(id: Int64, of account: Int64) async throws -> Notification?
    /// The number of notifications after the `notifications` marker, at most `limit`.
    func unread(of account: Int64, limit: Int, _ filter: NotificationFilter) async throws -> Int
    /// Deletes a notification.
    /// - Returns: Whether the notification existed.
    func dismiss(id: Int64, of account: Int64) async throws -> Bool
    /// Deletes all notifications of an account.
    func clear(of account: Int64) async throws

    /// A page of an account's groups of notifications, by their newest notification, newest first. Its bounds are ids of
    /// notifications; a group is part of one page only.
    func groups(
        of account: Int64, page: Pagination, _ filter: NotificationFilter
    ) async throws -> Page<NotificationGroup>
    /// - Returns: The group, or `nil` if the account has none with this key or it may no longer be shown.
    func group(_ key: NotificationGroupKey, of account: Int64) async throws -> NotificationGroup?
    /// A page of the accounts that caused the notifications of a group, by notification, newest first.
    /// - Returns: `nil` if the account has no such group.
    func accounts(in key: NotificationGroupKey, of account: Int64, page: Pagination) async throws -> Page<Account>?
    /// The number of groups with notifications after the `notifications` marker, at most `limit`.
    func unreadGroups(of account: Int64, limit: Int, _ filter: NotificationFilter) async throws -> Int
    /// Deletes the notifications of a group.
    /// - Returns: Whether there were any.
    func dismiss(_ key: NotificationGroupKey, of account: Int64) async throws -> Bool
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
