/// The keys of the reader.
enum ReaderHelp {
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
            DisplayWidth.padded(line(left), to: width) + line(right)
        }
    }

    private static func line(_ key: (String, String)) -> String {
        DisplayWidth.padded(key.0, to: keyColumns) + key.1
    }
}
