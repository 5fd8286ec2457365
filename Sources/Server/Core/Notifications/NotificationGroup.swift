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

/// The key of a group of notifications.
package enum NotificationGroupKey: Sendable, Equatable {
    /// The stored key of several notifications.
    case group(String)
    /// The id of a notification that is shown alone.
    case single(Int64)

    /// The kinds that are grouped, as in Mastodon 4.3.
    package static let groupedKinds: Set<Notification.Kind> = [.favourite, .reblog, .follow]
    /// The length of the period within which notifications are grouped, in milliseconds.
    private static let period: Int64 = 12 * 3_600_000
    private static let singlePrefix = "ungrouped-"

    /// Parses the key that a client sends.
    package init(_ text: String) {
        guard text.hasPrefix(Self.singlePrefix) else {
            self = .group(text)
            return
        }
        let digits = text.dropFirst(Self.singlePrefix.count)
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
        self = .single(isNumber ? Int64(digits) ?? 0 : 0)
    }

    package var text: String {
        switch self {
        case .group(let key): key
        case .single(let id): Self.singlePrefix + String(id)
        }
    }

    /// The key that is stored with a new notification: its kind, its status and the period in which it was created. It
    /// never changes, so every response shows the same one.
    /// - Returns: `nil` for a kind that is not grouped.
    package static func stored(for kind: Notification.Kind, status: Int64?, id: Int64) -> String? {
        guard groupedKinds.contains(kind) else { return nil }
        return ([kind.rawValue] + [status, (id >> 16) / period].compactMap { $0.map { String($0) } })
            .joined(separator: "-")
    }
}
