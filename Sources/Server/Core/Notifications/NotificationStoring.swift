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
    func unread(of account: Int64, limit: Int) async throws -> Int
    /// Deletes a notification.
    /// - Returns: Whether the notification existed.
    func dismiss(id: Int64, of account: Int64) async throws -> Bool
    /// Deletes all notifications of an account.
    func clear(of account: Int64) async throws
}

/// A filter for notifications.
package struct NotificationFilter: Sendable {
    package var kinds: Set<Notification.Kind>
    /// Only notifications caused by this account.
    package var from: Int64?

    package init(kinds: Set<Notification.Kind> = Set(Notification.Kind.allCases), from: Int64? = nil) {
        self.kinds = kinds
        self.from = from
    }
}
