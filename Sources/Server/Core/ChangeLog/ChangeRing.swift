/// The newest rows of the change log, without gaps.
struct ChangeRing: Sendable {
    /// The number of rows that are kept.
    static let capacity = 1024

    /// The position after the newest row.
    private(set) var last: Int64
    /// The position before the oldest row.
    private var floor: Int64
    /// The position of the newest change of a rare kind. If changes were skipped, one of them may have been rare.
    private(set) var lastRareChange: Int64
    /// Ascending by sequence number.
    private var rows: [Change] = []

    init(at position: Int64) {
        last = position
        floor = position
        lastRareChange = position
    }

    /// Appends rows, and ignores rows that are already in the ring.
    /// - Parameters:
    ///   - new: All rows after a position that is not behind ``last``, up to `position`; ascending.
    ///   - position: The position after them.
    mutating func append(_ new: [Change], upTo position: Int64) {
        guard position > last else { return }
        let added = new.drop { $0.sequence <= last }
        rows += added
        last = position
        if let rare = added.last(where: { ChangeDependencies.rareKinds.contains($0.kind) }) {
            lastRareChange = rare.sequence
        }
        guard rows.count > 2 * Self.capacity else { return }
        let dropped = rows.count - Self.capacity
        floor = rows[dropped - 1].sequence
        rows.removeFirst(dropped)
    }

    /// Moves to a position without knowing the rows before it.
    mutating func skip(to position: Int64) {
        guard position > last else { return }
        self = ChangeRing(at: position)
    }

    /// The rows after a position.
    /// - Returns: `nil` if some of them are no longer known, if there are more than `limit`, or if the position is ahead.
    func rows(after position: Int64, limit: Int) -> ArraySlice<Change>? {
        guard (floor...last).contains(position) else { return nil }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].sequence <= position { low = middle + 1 } else { high = middle }
        }
        return rows.count - low <= limit ? rows[low...] : nil
    }
}
