/// A problem that `feedserver check` has found.
package struct CheckFinding: Sendable, Equatable {
    /// The problem, in words for people.
    package var text: String
    /// The remedy, in words for people.
    package var remedy: String
    package var isRepaired = false

    package init(_ text: String, remedy: String, isRepaired: Bool = false) {
        self.text = text
        self.remedy = remedy
        self.isRepaired = isRepaired
    }
}

extension CheckFinding {
    /// The remedy for damage that `--repair` can repair.
    package static let repair = "Run feedserver check --repair."
    /// The remedy for a damaged database.
    package static let restore = "Stop the server, move the folder aside, and restore a backup."
}

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
