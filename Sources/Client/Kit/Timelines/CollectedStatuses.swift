/// Collects the pages of a timeline up to a number of statuses. Pure.
struct CollectedStatuses {
    /// The statuses, in the order of the pages.
    private(set) var entries: [TimelineEntry] = []
    private let count: Int
    private let countsRepetitions: Bool
    /// The ids of the statuses that have been counted; for a boost, the id of the boosted status.
    private var counted: Set<String> = []

    init(count: Int, countsRepetitions: Bool) {
        self.count = count
        self.countsRepetitions = countsRepetitions
    }

    /// How many statuses are missing.
    var missing: Int { max(0, count - (countsRepetitions ? entries.count : counted.count)) }

    /// Appends what is missing. A repetition is kept, because it names another account that has boosted the status.
    mutating func append(_ page: [TimelineEntry]) {
        for entry in page {
            let id = (entry.status.reblog?.value ?? entry.status).id
            guard missing > 0 || (!countsRepetitions && counted.contains(id)) else { break }
            counted.insert(id)
            entries.append(entry)
        }
    }
}
