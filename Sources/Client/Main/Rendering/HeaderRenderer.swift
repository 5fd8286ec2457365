import FeedAPI
import FeedTerminal

/// Renders the first lines of a status: name, handle and time. Pure.
struct HeaderRenderer {
    /// The width of a line in columns; `Int.max` for a single line of any length.
    let width: Int
    let style: TextStyle

    /// The name and handle on the left, and the time on the right. A handle for which there is no room gets a line of its
    /// own, because it must remain complete.
    /// - Parameter name: The display name, filtered.
    func lines(name: String, acct: String, time: String) -> [String] {
        let handle = acct.isEmpty ? "" : "@" + style.line(acct)
        guard width != .max else {
            let parts = [style.bold(name), style.dim(handle), style.dim(time)]
            return [parts.filter { !$0.isEmpty }.joined(separator: "  ")]
        }
        let used = DisplayWidth.of(name) + (handle.isEmpty ? 0 : 1 + DisplayWidth.of(handle))
        guard used + 1 + DisplayWidth.of(time) > width else {
            let left = style.bold(name) + (handle.isEmpty ? "" : " " + style.dim(handle))
            return [line(left, used, time)]
        }
        let short = truncated(name, to: max(1, width - 1 - DisplayWidth.of(time)))
        let first = line(style.bold(short), DisplayWidth.of(short), time)
        return [first] + (handle.isEmpty ? [] : [style.dim(handle)])
    }

    private func line(_ left: String, _ used: Int, _ time: String) -> String {
        let gap = String(repeating: " ", count: max(1, width - used - DisplayWidth.of(time)))
        return left + gap + style.dim(time)
    }

    private func truncated(_ text: String, to columns: Int) -> String {
        style.isASCII ? DisplayWidth.truncated(text, to: columns, mark: "~") : DisplayWidth.truncated(text, to: columns)
    }
}
