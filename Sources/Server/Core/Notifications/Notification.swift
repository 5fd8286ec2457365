/// A notification.
package struct Notification: Sendable, Equatable {
    /// The kind of a notification. The raw values are stored and used in JSON.
    package enum Kind: String, Sendable, CaseIterable {
        case mention, follow, favourite, reblog, update, status, poll
        case followRequest = "follow_request"
    }

    package var id: Int64
    package var kind: Kind
    /// The account that caused the notification.
    package var from: Account
    package var status: Status?

    package init(id: Int64, kind: Kind, from: Account, status: Status?) {
        self.id = id
        self.kind = kind
        self.from = from
        self.status = status
    }

    /// Milliseconds since 1970, UTC.
    package var createdAt: Int64 { id >> 16 }
}
