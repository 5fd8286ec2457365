/// Takes statuses from the pages of a timeline up to a number. Pure.
struct StatusLimit: Sendable {
    private let count: Int
    private let countsRepetitions: Bool
    private var taken = 0
    /// The ids of the statuses that have been taken; for a boost, the id of the boosted status.
    private var ids: Set<String> = []

    init(count: Int, countsRepetitions: Bool) {
        self.count = count
        self.countsRepetitions = countsRepetitions
    }

    /// How many statuses are missing.
    var missing: Int { max(0, count - (countsRepetitions ? taken : ids.count)) }

    /// Takes the next entry, unless there are enough. A repetition is taken in any case, because it names another account
    /// that has boosted the status.
    /// - Returns: Whether the entry was taken; if not, the following ones do not belong to the result either.
    mutating func take(_ entry: TimelineEntry) -> Bool {
        let id = (entry.status.reblog?.value ?? entry.status).id
        guard missing > 0 || (!countsRepetitions && ids.contains(id)) else { return false }
        taken += 1
        if !countsRepetitions { ids.insert(id) }
        return true
    }
}
