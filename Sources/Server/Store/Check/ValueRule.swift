/// A rule about values that can be computed again.
struct ValueRule: Sendable {
    /// The largest number of wrong rows that are found, and corrected.
    static let limit = 100_000

    /// What the rows are.
    var subject: String
    /// A query of the ids of wrong rows.
    var wrong: String
    /// A statement that corrects the row with the id `?1`.
    var correction: String
}

extension ValueRule {
    static let all =
        StoredCount.all.map { count in
            ValueRule(
                subject: "wrong \(count.column) of \(count.table)", wrong: count.wrong(limit: limit),
                correction: count.correction)
        }
        + RepeatedColumns.all.map { repeated in
            ValueRule(
                subject: "wrong columns of \(repeated.table), which repeat columns of status",
                wrong: repeated.wrong(limit: limit), correction: repeated.correction)
        }
        + PollCount.all.map { count in
            ValueRule(
                subject: "wrong \(count.column) of \(count.table)", wrong: count.wrong(limit: limit),
                correction: count.correction)
        }
        + notificationGroups + conversations
}
