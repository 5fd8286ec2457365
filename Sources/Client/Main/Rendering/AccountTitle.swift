import FeedTerminal

/// Renders the name and the handle of an account. Pure.
struct AccountTitle {
    /// The width of a line; `Int.max` for whole lines.
    let width: Int
    let style: TextStyle

    /// One line, or separate lines if it would be too long. The handle is never divided, so that it can be copied.
    /// - Parameters:
    ///   - name: The display name; empty if there is none.
    ///   - notes: What follows in parentheses; empty for nothing.
    func lines(name: String, username: String, acct: String, notes: [String] = []) -> [String] {
        let (name, handle) = (style.line(name.isEmpty ? username : name), "@" + style.line(acct))
        let remark = notes.isEmpty ? "" : "(" + notes.joined(separator: ", ") + ")"
        let isShort = DisplayWidth.of(name + " " + handle) <= width
        let title = isShort ? [style.bold(name) + " " + handle] : wrapped(name).map(style.bold) + [handle]
        guard !remark.isEmpty else { return title }
        let isOneLine = isShort && DisplayWidth.of(name + " " + handle + " " + remark) <= width
        return isOneLine ? [title[0] + " " + remark] : title + [remark]
    }

    private func wrapped(_ name: String) -> [String] { TextWrap.lines(name, columns: width) }
}
