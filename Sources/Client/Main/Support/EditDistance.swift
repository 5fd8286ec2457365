/// The number of typing errors between two words. Pure.
enum EditDistance {
    /// Words are compared up to this length, so that the work is bounded.
    private static let maximumLength = 64

    /// The number of insertions, deletions, replacements, and exchanges of neighbors that turn one word into the other
    /// (optimal string alignment).
    static func between(_ one: String, _ other: String) -> Int {
        let (first, second) = (Array(one.prefix(maximumLength)), Array(other.prefix(maximumLength)))
        var (before, previous) = ([Int](), Array(0...second.count))
        for (row, character) in first.enumerated() {
            var current = [row + 1]
            for (column, target) in second.enumerated() {
                var best = previous[column] + (character == target ? 0 : 1)
                best = min(best, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == second[column - 1], first[row - 1] == target {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
