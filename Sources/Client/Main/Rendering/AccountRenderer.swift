import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders an account as lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct AccountRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    private var width: Int { columns == .max ? .max : min(columns, StatusRenderer.maximumWidth) }

    /// Name and handle, the text about the account, its table, the relationship to it, its counts and its address.
    /// - Parameter relationship: `nil` without a login.
    func lines(_ account: Entity.Account, _ relationship: Entity.Relationship?) -> [String] {
        var lines = title(account) + note(account) + fields(account)
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

    /// The table of the profile; ✓ marks a link whose page links back.
    private func fields(_ account: Entity.Account) -> [String] {
        (account.fields ?? []).flatMap { field -> [String] in
            let value = style.line(PlainText.from(html: field.value))
            let line = style.line(field.name) + ": " + value + (field.verified_at == nil ? "" : style.encoded(" ✓"))
            return width == .max ? [line] : TextWrap.lines(line, columns: width)
        }
    }

    private func counts(_ account: Entity.Account) -> [String] {
        let counts = [
            account.statuses_count.map { Plural.text($0, "status", "statuses") },
            account.followers_count.map { Plural.text($0, "follower") },
            account.following_count.map { "\($0) following" },
        ]
        return style.joined(counts.compactMap(\.self), columns: width)
    }
}
