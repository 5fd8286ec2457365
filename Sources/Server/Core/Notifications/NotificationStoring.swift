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
