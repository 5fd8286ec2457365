import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders an account as lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct AccountRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    /// Name and handle, the text about the account, the relationship to it, its counts and its address.
    /// - Parameter relationship: `nil` without a login.
    func lines(_ account: Entity.Account, _ relationship: Entity.Relationship?) -> [String] {
        var lines = [title(account)] + note(account)
        if let relationship {
            lines += TextWrap.lines(style.encoded(RelationshipText.text(relationship)), columns: columns)
        }
        lines.append(style.dim(counts(account)))
        if let url = account.url { lines.append(style.line(url)) }
        return lines
    }

    private func title(_ account: Entity.Account) -> String {
        let name = style.line(account.display_name.isEmpty ? account.username : account.display_name)
        let marks = [account.bot == true ? "bot" : nil, account.locked == true ? "approves followers" : nil]
        let notes = marks.compactMap(\.self).joined(separator: ", ")
        return style.bold(name) + " @" + style.line(account.acct) + (notes.isEmpty ? "" : " (\(notes))")
    }

    private func note(_ account: Entity.Account) -> [String] {
        let text = style.block(PlainText.from(html: account.note ?? ""))
        return text.isEmpty ? [] : TextWrap.lines(text, columns: columns)
    }

    private func counts(_ account: Entity.Account) -> String {
        let counts = [
            ("statuses", account.statuses_count), ("followers", account.followers_count),
            ("following", account.following_count),
        ]
        return counts.compactMap { name, count in count.map { "\($0) \(name)" } }.joined(
            separator: style.encoded(" · "))
    }
}
