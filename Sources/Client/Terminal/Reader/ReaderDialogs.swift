/// A text that is asked for.
package enum ReaderPrompt: Sendable {
    case search, hashtag, profile

    var title: String {
        switch self {
        case .search: "Search: "
        case .hashtag: "Hashtag: #"
        case .profile: "Profile: @"
        }
    }

    /// - Parameter text: Not empty.
    func source(_ text: String) -> ReaderSource {
        switch self {
        case .search: .search(text)
        case .hashtag: .tag(String(text.drop { $0 == "#" }))
        case .profile: .profile(String(text.drop { $0 == "@" }))
        }
    }
}

/// A question before something that cannot be undone.
package enum ReaderQuestion: Sendable {
    case delete(String)
    /// Whether to remove a post from the outbox.
    case drop(String)
    /// Whether to discard what was written.
    case discard(ReaderForm)
}

/// A choice from a list.
package struct ReaderPicker: Sendable {
    package enum Purpose: Sendable {
        case source([ReaderSource])
        case account([String])
        /// The options of a status's poll.
        case vote(String, ReaderPoll)
    }

    package let title: String
    package let rows: [String]
    package let purpose: Purpose
    package private(set) var selection = 0
    package private(set) var chosen: Set<Int> = []

    init(_ title: String, _ rows: [String], _ purpose: Purpose) {
        (self.title, self.rows, self.purpose) = (title, rows, purpose)
    }

    /// Whether several rows can be chosen.
    var isMultiple: Bool { if case .vote(_, let poll) = purpose { poll.isMultiple } else { false } }

    var selectedRow: String? { rows.indices.contains(selection) ? rows[selection] : nil }

    /// The picker with a row selected, if it has one like it.
    func selecting(_ row: String?) -> ReaderPicker {
        var picker = self
        picker.selection = rows.firstIndex { $0 == row } ?? 0
        return picker
    }

    mutating func move(by count: Int) { selection = max(0, min(selection + count, rows.count - 1)) }

    mutating func toggle() {
        guard isMultiple else { return }
        if chosen.remove(selection) == nil { chosen.insert(selection) }
    }
}

/// The keys of the reader.
enum ReaderKeys {
    private static let reading = [
        ("j k", "down, up"), ("g G", "first, last"), ("Space", "a page down"), ("^D ^U", "half a page"),
        ("Enter", "the conversation"), ("Tab", "the other pane"), ("Esc q", "back, quit"),
        ("n", "oldest new entry"), ("R", "ask the server"), ("/ # @", "search, tag, person"),
        ("1 to 8", "home, local, …"), ("L", "all lists, hashtags"), ("A", "another login"),
        ("^L ^Z", "redraw, suspend"),
    ]
    private static let acting = [
        ("c", "compose"), ("r", "reply"), ("b", "boost, or undo"), ("f", "favourite, or undo"),
        ("B", "bookmark, or undo"), ("v", "vote"), ("m", "pictures and files"), ("o", "open in browser"),
        ("u", "profile of author"), ("F", "follow, in a profile"), ("e", "edit your status"),
        ("d", "delete it"), ("?", "these keys"), ("^C", "cancel, or quit"),
    ]
    private static let keyColumns = 8
    private static let minimumColumns = 28

    /// Two columns of keys.
    static func lines(columns: Int) -> [String] {
        let width = max(minimumColumns, min(44, columns / 2))
        return zip(reading, acting).map { left, right in
            TextWidth.padded(line(left), to: width) + line(right)
        }
    }

    private static func line(_ key: (String, String)) -> String {
        TextWidth.padded(key.0, to: keyColumns) + key.1
    }
}
