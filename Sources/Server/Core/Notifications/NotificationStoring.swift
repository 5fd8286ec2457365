/// What accounts are told of.
package protocol NotificationStoring: Sendable {
    func notifications(of account: Int64, page: Pagination, _ filter: NotificationFilter) async throws -> Page<
        Notification
    >
    /// - Returns: The notification, if it is one of `account`'s and may still be shown.
    func notification(id: Int64, of account: Int64) async throws -> Notification?
    /// How many came after the marker `notifications`, counted up to `limit`.
    func unread(of account: Int64, limit: Int) async throws -> Int
    /// - Returns: Whether there was such a notification.
    func dismiss(id: Int64, of account: Int64) async throws -> Bool
    /// Removes all there are.
    func clear(of account: Int64) async throws
}

/// Which notifications are asked for.
package struct NotificationFilter: Sendable {
    package var kinds: Set<Notification.Kind>
    /// Only what this account did.
    package var from: Int64?

    package init(kinds: Set<Notification.Kind> = Set(Notification.Kind.allCases), from: Int64? = nil) {
        self.kinds = kinds
        self.from = from
    }
}
