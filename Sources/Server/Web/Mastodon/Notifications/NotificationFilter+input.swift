import FeedCore

extension NotificationFilter {
    /// Reads `types[]`, `exclude_types[]`, `account_id` and `grouped_types[]`; unknown types match nothing.
    /// `include_filtered` has no effect, because no notification is held back as filtered.
    /// - Throws: ``FeedError`` `.malformed` for an id that is not a number.
    init(_ input: InputValues) throws(FeedError) {
        let (wanted, unwanted) = (Set(input.all("types")), Set(input.all("exclude_types")))
        let kinds = Notification.Kind.allCases.filter {
            (wanted.isEmpty || wanted.contains($0.rawValue)) && !unwanted.contains($0.rawValue)
        }
        self.init(kinds: Set(kinds), from: try input.id(.accountID))
        let grouped = input.all("grouped_types")
        if !grouped.isEmpty { groupedKinds = Set(grouped.compactMap(Notification.Kind.init)) }
    }
}

extension InputValues {
    /// The number up to which unread notifications are counted.
    var unreadLimit: Int { count(.limit, standard: 100, maximum: 1000) }
}
