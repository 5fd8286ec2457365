import Synchronization

/// Translates SQL statements from the SQLite dialect, in which the stores write them, to that of PostgreSQL.
final class PostgresSQL: Sendable {
    /// The maximum number of cached translations. It is rarely reached, because statements do not contain user input.
    private static let limit = 2000

    private let translations = Mutex<[String: String]>([:])

    func translate(_ sql: String) -> String {
        if let text = translations.withLock({ $0[sql] }) { return text }
        let text = Self.numbered(
            sql.replacing(SQLDialect.list, with: "SELECT unnest(?) AS value")
                // SQLite keeps the order of a CROSS JOIN; in PostgreSQL, a CROSS JOIN cannot have an ON condition.
                .replacing("CROSS JOIN", with: "JOIN"))
        translations.withLock { translations in
            if translations.count >= Self.limit { translations = [:] }
            translations[sql] = text
        }
        return text
    }

    /// Replaces `?` and `?2` by `$1` and `$2`. As in SQLite, `?` gets the number after the largest one so far.
    private static func numbered(_ sql: String) -> String {
        var text = ""
        var largest = 0
        var isQuoted = false
        var characters = sql.unicodeScalars.makeIterator()
        var next = characters.next()
        while let scalar = next {
            next = characters.next()
            if scalar == "'" { isQuoted.toggle() }
            guard scalar == "?", !isQuoted else {
                text.unicodeScalars.append(scalar)
                continue
            }
            var number = 0
            while let digit = next, ("0"..."9").contains(digit) {
                number = number * 10 + Int(digit.value - 48)
                next = characters.next()
            }
            if number == 0 { number = largest + 1 }
            largest = max(largest, number)
            text += "$\(number)"
        }
        return text
    }
}
