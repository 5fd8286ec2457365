/// Finds the name that a mistyped one was probably meant to be.
enum NearestName {
    /// The longest name that is compared, which bounds the time.
    private static let maximumLength = 100

    /// - Returns: The name with the fewest differences, ignoring case and dashes; `nil` if none is similar.
    static func of(_ name: String, in names: [String]) -> String? {
        let wanted = letters(name)
        guard (1...maximumLength).contains(wanted.count) else { return nil }
        let nearest = names.map { (name: $0, distance: distance(wanted, letters($0))) }.min {
            $0.distance < $1.distance
        }
        return nearest.flatMap { $0.distance <= max(1, (wanted.count + 1) / 3) ? $0.name : nil }
    }

    private static func letters(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// The number of insertions, deletions and substitutions (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let substituted = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
