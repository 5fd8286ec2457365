/// Notifications of one kind about one status within a period, shown as one entry: "ada and 7 others favourited your
/// status". A notification of a kind that is not grouped is a group of its own.
package struct NotificationGroup: Sendable, Equatable {
    /// The maximum number of accounts listed in a group.
    package static let maximumSamples = 8

    package var key: String
    package var kind: Notification.Kind
    package var count: Int
    /// The newest notification that is shown.
    package var newestID: Int64
    /// The oldest notification within the bounds of the page; `nil` outside of pages.
    package var pageMinID: Int64?
    /// The accounts of the newest notifications, newest first; never empty.
    package var accounts: [Account]
    package var status: Status?
    package var report: Report?

    package init(
        key: String, kind: Notification.Kind, count: Int, newestID: Int64, accounts: [Account], status: Status?,
        report: Report? = nil
    ) {
        self.key = key
        self.kind = kind
        self.count = count
        self.newestID = newestID
        self.accounts = accounts
        self.status = status
        self.report = report
    }

    /// A group of one notification.
    package init(_ notification: Notification) {
        self.init(
            key: NotificationGroupKey.single(notification.id).text, kind: notification.kind, count: 1,
            newestID: notification.id, accounts: [notification.from], status: notification.status,
            report: notification.report)
    }

    /// The time of the newest notification, in milliseconds since 1970, UTC.
    package var newestAt: Int64 { newestID >> 16 }
}
