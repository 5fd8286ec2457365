/// Collects what has not been shown yet of a fetched timeline, and where it belongs. Pure.
struct TimelineNews<Item> {
    /// The ids of the statuses that have been shown.
    private let shown: Set<String>
    /// The statuses above or between the shown ones.
    private(set) var newer: [Item] = []
    /// The statuses below the shown ones.
    private(set) var older: [Item] = []
    /// Whether one of the shown statuses has been fetched again.
    private(set) var hasMet = false

    init(shown: Set<String>) { self.shown = shown }

    func isShown(_ id: String) -> Bool { shown.contains(id) }

    /// The next fetched statuses are not among the shown ones.
    mutating func add(_ items: [Item]) { if hasMet { older += items } else { newer += items } }

    /// The next fetched status is one of the shown ones, so what precedes it is not below them.
    mutating func meet() {
        newer += older
        (older, hasMet) = ([], true)
    }
}
