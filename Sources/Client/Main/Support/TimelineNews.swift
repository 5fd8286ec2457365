/// Which of the fetched statuses have not been shown yet, and where they belong. Pure.
struct TimelineNews: Equatable {
    /// The indices of statuses above or between the shown ones.
    let newer: [Int]
    /// The indices of statuses below the shown ones.
    let older: Range<Int>
    /// Whether statuses between the newer and the shown ones may be missing.
    let hasGap: Bool

    /// - Parameters:
    ///   - shown: The ids of the statuses that have been shown, the newest first.
    ///   - fetched: The ids of the newest statuses, the newest first.
    ///   - limit: The number of statuses that were requested.
    init(shown: [String], fetched: [String], limit: Int) {
        let known = Set(shown)
        let first = fetched.firstIndex(where: known.contains) ?? fetched.count
        let last = fetched.lastIndex(where: known.contains) ?? fetched.count - 1
        newer = fetched.indices.filter { $0 <= last && !known.contains(fetched[$0]) }
        older = last + 1..<fetched.count
        hasGap = first == fetched.count && fetched.count >= limit
    }
}
