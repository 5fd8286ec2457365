import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders an account as lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct AccountRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    private var width: Int { columns == .max ? .max : min(columns, StatusRenderer.maximumWidth) }

    /// Name and handle, the text about the account, the relationship to it, its counts and its address.
    /// - Parameter relationship: `nil` without a login.
    func lines(_ account: Entity.Account, _ relationship: Entity.Relationship?) -> [String] {
        var lines = title(account) + note(account)
        if let relationship {
            lines += TextWrap.lines(style.encoded(RelationshipText.text(relationship)), columns: width)
        }
        lines += counts(account).map(style.dim)
        if let url = account.url { lines.append(style.line(url)) }
        return lines
    }

    private func title(_ account: Entity.Account) -> [String] {
        let marks = [account.bot == true ? "bot" : nil, account.locked == true ? "approves followers" : nil]
        return AccountTitle(width: width, style: style).lines(
            name: account.display_name, username: account.username, acct: account.acct, notes: marks.compactMap(\.self))
    }

    private func note(_ account: Entity.Account) -> [String] {
        let text = style.block(PlainText.from(html: account.note ?? ""))
        return text.isEmpty ? [] : TextWrap.lines(text, columns: width)
    }

    private func counts(_ account: Entity.Account) -> [String] {
        let counts = [
            ("statuses", account.statuses_count), ("followers", account.followers_count),
            ("following", account.following_count),
        ]
        return style.joined(counts.compactMap { name, count in count.map { "\($0) \(name)" } }, columns: width)
    }
}
