import FeedAPI
import FeedTerminal

/// Renders the user's own profile as lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct ProfileRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    func lines(_ profile: Entity.Profile) -> [String] {
        let name = style.line(profile.display_name.isEmpty ? profile.username : profile.display_name)
        var lines = [style.bold(name) + " @" + style.line(profile.acct)]
        let note = style.block(profile.source?.note ?? "")
        if !note.isEmpty { lines += TextWrap.lines(note, columns: columns) }
        for row in profile.source?.fields ?? [] {
            lines.append(style.line(row.name) + ": " + style.line(row.value))
        }
        lines += [settings(profile), defaults(profile)].filter { !$0.isEmpty }.map(style.dim)
        if let count = profile.source?.follow_requests_count, count > 0 {
            lines.append("\(count) ask to follow you: feedclient requests")
        }
        if let url = profile.url { lines.append(style.line(url)) }
        return lines
    }

    private func settings(_ profile: Entity.Profile) -> String {
        let flags = [("locked", profile.locked), ("bot", profile.bot), ("discoverable", profile.discoverable)]
        return flags.compactMap { name, value in value.map { "\(name): \($0 ? "yes" : "no")" } }
            .joined(separator: style.encoded(" · "))
    }

    private func defaults(_ profile: Entity.Profile) -> String {
        let source = profile.source
        let texts = [
            source?.privacy.map { "new posts: " + style.line($0) },
            source?.language.flatMap { $0.isEmpty ? nil : "language: " + style.line($0) },
            source?.sensitive.map { "media sensitive: " + ($0 ? "yes" : "no") },
        ]
        return texts.compactMap(\.self).joined(separator: style.encoded(" · "))
    }
}
