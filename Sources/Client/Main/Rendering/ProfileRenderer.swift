import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders the user's own profile as lines of text. All text from the server is filtered by ``SafeText``.
struct ProfileRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    private var width: Int { columns == .max ? .max : min(columns, StatusRenderer.maximumWidth) }

    func lines(_ profile: Entity.Profile) -> [String] {
        var lines = AccountTitle(width: width, style: style).lines(
            name: profile.display_name, username: profile.username, acct: profile.acct)
        let note = style.block(profile.source?.note ?? "")
        if !note.isEmpty { lines += TextWrap.lines(note, columns: width) }
        for row in profile.source?.fields ?? [] {
            let line = style.line(row.name) + ": " + style.line(row.value)
            lines += width == .max ? [line] : WordWrap.lines(line, columns: width)
        }
        lines += [settings(profile), defaults(profile)].flatMap { style.joined($0, columns: width) }.map(style.dim)
        if let count = profile.source?.follow_requests_count, count > 0 {
            lines.append(Plural.text(count, "account asks", "accounts ask") + " to follow you: feedclient requests")
        }
        if let url = profile.url { lines.append(style.line(url)) }
        return lines
    }

    private func settings(_ profile: Entity.Profile) -> [String] {
        let flags = [("locked", profile.locked), ("bot", profile.bot), ("discoverable", profile.discoverable)]
        return flags.compactMap { name, value in value.map { "\(name): \($0 ? "yes" : "no")" } }
    }

    private func defaults(_ profile: Entity.Profile) -> [String] {
        let source = profile.source
        let texts = [
            source?.privacy.map { "new posts: " + style.line($0) },
            source?.language.flatMap { $0.isEmpty ? nil : "language: " + style.line($0) },
            source?.sensitive.map { "media sensitive: " + ($0 ? "yes" : "no") },
        ]
        return texts.compactMap(\.self)
    }
}
