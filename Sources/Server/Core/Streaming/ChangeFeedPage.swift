/// A page of an account's change feed: the changes that the account may see, oldest first.
package struct ChangeFeedPage: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var position: ChangePosition
        package var event: StreamEventType
        /// The id of the status, boost, notification, conversation or filter.
        package var id: Int64?
        /// The time of the change, in milliseconds since 1970, UTC.
        package var at: Int64
        /// The status as it is now, for `update` and `status.update`.
        package var status: Status?

        package init(position: ChangePosition, event: StreamEventType, id: Int64?, at: Int64, status: Status? = nil) {
            self.position = position
            self.event = event
            self.id = id
            self.at = at
            self.status = status
        }
    }

    package var entries: [Entry]
    /// The last row that was examined.
    package var position: ChangePosition
    /// The number of rows that were examined.
    package var examined: Int
    /// Whether further rows follow, which may or may not concern the account.
    package var hasMore: Bool

    package init(entries: [Entry], position: ChangePosition, examined: Int = 0, hasMore: Bool = false) {
        self.entries = entries
        self.position = position
        self.examined = examined
        self.hasMore = hasMore
    }

    /// The page that tells a reader once that changes are missing.
    package static func resync(at position: ChangePosition, now: Int64) -> ChangeFeedPage {
        let entry = Entry(position: position, event: .resync, id: nil, at: now)
        return ChangeFeedPage(entries: [entry], position: position)
    }
}
