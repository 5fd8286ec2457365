import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders an account as lines of text. All text from the server is filtered by ``SafeText``.
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
            lines += TextWrap.lines(style.encoded(RelationshipRenderer.text(relationship)), columns: width)
        }
        lines += counts(account).map(style.dim)
        if let url = account.url { lines.append(style.linked(style.line(url))) }
        return lines
    }

    private func title(_ account: Entity.Account) -> [String] {
        let marks = [account.bot == true ? "bot" : nil, account.locked == true ? "approves followers" : nil]
        return AccountTitle(width: width, style: style).lines(
            name: account.display_name, username: account.username, acct: account.acct, notes: marks.compactMap(\.self))
    }

    private func note(_ account: Entity.Account) -> [String] {
        let text = style.block(PlainText.from(html: account.note ?? ""))
        return text.isEmpty ? [] : TextWrap.lines(text, columns: width).map { style.linked($0) }
    }

    /// The table of the profile; ✓ marks a link whose page links back.
    private func fields(_ account: Entity.Account) -> [String] {
        (account.fields ?? []).flatMap { field -> [String] in
            let value = style.line(PlainText.from(html: field.value))
            let line = style.line(field.name) + ": " + value + (field.verified_at == nil ? "" : style.encoded(" ✓"))
            return (width == .max ? [line] : TextWrap.lines(line, columns: width)).map { style.linked($0) }
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

/// Renders the name and the handle of an account.
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
        let isShort = TextWidth.columns(of: name + " " + handle) <= width
        let title = isShort ? [style.bold(name) + " " + handle] : wrapped(name).map(style.bold) + [handle]
        guard !remark.isEmpty else { return title }
        let isOneLine = isShort && TextWidth.columns(of: name + " " + handle + " " + remark) <= width
        return isOneLine ? [title[0] + " " + remark] : title + [remark]
    }

    private func wrapped(_ name: String) -> [String] { TextWrap.lines(name, columns: width) }
}

/// Renders an account as one line: handle, display name and, in the list of muted accounts, the end of the mute.
enum AccountLine {
    static func text(_ account: Entity.Account) -> String {
        let name = SafeText.line(account.display_name)
        let end = account.mute_expires_at.map { "  until " + LocalTime.full(iso: $0) } ?? ""
        return "@" + SafeText.line(account.acct) + (name.isEmpty ? "" : "  " + name) + end
    }
}

extension Entity.Account {
    var displayNameOrUsername: String { display_name.isEmpty ? username : display_name }
}

/// Says in words how two accounts are related.
enum RelationshipRenderer {
    static func text(_ relationship: Entity.Relationship) -> String {
        var parts = [follows(relationship)]
        if relationship.requested { parts.append("you have asked to follow this account") }
        if relationship.requested_by { parts.append("asks to follow you") }
        if relationship.blocking { parts.append("blocked by you") }
        if relationship.blocked_by { parts.append("blocks you") }
        if relationship.muting {
            let end = relationship.muting_expires_at.map { " until " + LocalTime.full(iso: $0) }
            parts.append("muted by you" + (end ?? ""))
        }
        if !relationship.note.isEmpty { parts.append("your note: " + SafeText.line(relationship.note)) }
        return parts.joined(separator: " · ")
    }

    private static func follows(_ relationship: Entity.Relationship) -> String {
        switch (relationship.following, relationship.followed_by) {
        case (true, true): "you follow each other"
        case (true, false): "you follow this account"
        case (false, true): "follows you"
        case (false, false): "you do not follow each other"
        }
    }
}
