import Synchronization

/// Translates the statements of the stores, which are written as for SQLite, into PostgreSQL's.
final class PostgresDialect: Sendable {
    /// Statements are few: their text does not depend on what people send.
    private static let limit = 2000

    private let known = Mutex<[String: String]>([:])

    func translate(_ sql: String) -> String {
        if let text = known.withLock({ $0[sql] }) { return text }
        let text = Self.numbered(
            sql.replacing(SQLDialect.list, with: "SELECT unnest(?) AS value")
                // In SQLite a hint to keep the order of the join; here it would not take a condition.
                .replacing("CROSS JOIN", with: "JOIN"))
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[sql] = text
        }
        return text
    }

    /// Writes `?` and `?2` as `$1` and `$2`. As in SQLite, `?` counts on from the largest number so far.
    private static func numbered(_ sql: String) -> String {
        var result = ""
        var largest = 0
        var isQuoted = false
        var characters = sql.unicodeScalars.makeIterator()
        var next = characters.next()
        while let scalar = next {
            next = characters.next()
            if scalar == "'" { isQuoted.toggle() }
            guard scalar == "?", !isQuoted else {
                result.unicodeScalars.append(scalar)
                continue
            }
            var number = 0
            while let digit = next, ("0"..."9").contains(digit) {
                number = number * 10 + Int(digit.value - 48)
                next = characters.next()
            }
            if number == 0 { number = largest + 1 }
            largest = max(largest, number)
            result += "$\(number)"
        }
        return result
    }
}
