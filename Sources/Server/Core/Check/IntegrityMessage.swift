/// A message of SQLite's `PRAGMA integrity_check`.
package enum IntegrityMessage: Sendable, Equatable {
    /// An index does not match its table; rebuilding it repairs that.
    case index(String)
    /// Any other damage.
    case other(String)

    /// The beginnings of messages about an index that can be rebuilt, each followed by the name of the index. Duplicate
    /// entries of a unique index are not among them: rebuilding it fails.
    private static var forms: [Regex<(Substring, Substring)>] {
        [
            #/row \d+ missing from index (\S+)/#, #/wrong # of entries in index (\S+)/#,
            #/row \d+ values differ from index (\S+)/#, #/rowid not at end-of-record for row \d+ of index (\S+)/#,
        ]
    }

    package init(_ message: String) {
        for form in Self.forms {
            if let match = message.wholeMatch(of: form) {
                self = .index(String(match.1))
                return
            }
        }
        self = .other(message)
    }
}
