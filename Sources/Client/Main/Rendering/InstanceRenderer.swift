import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders what a server says about itself as lines of text. All text from the server is filtered by ``SafeText``.
struct InstanceRenderer {
    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle

    private var width: Int { columns == .max ? .max : min(columns, StatusRenderer.maximumWidth) }

    /// The name and the description, the rules, who may join, whom to ask, and limits and counts.
    func lines(_ instance: InstanceDetails, _ address: ServerAddress) -> [String] {
        let title = style.line(instance.title.isEmpty ? address.description : instance.title)
        let text = style.block(PlainText.from(html: instance.description))
        let sections = [
            wrapped(title).map(style.bold) + (text.isEmpty ? [] : TextWrap.lines(text, columns: width)),
            rules(instance.rules),
            people(instance).flatMap(wrapped),
            limits(instance.limits).flatMap(wrapped) + wrapped("Mastodon API: " + style.line(instance.version)),
        ]
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func rules(_ rules: [String]) -> [String] {
        rules.enumerated().flatMap { wrapped("\($0 + 1). " + style.line($1)) }
    }

    private func people(_ instance: InstanceDetails) -> [String] {
        var lines: [String] = []
        switch instance.registration {
        case .open: lines.append("registration: open")
        case .approval: lines.append("registration: on request")
        case .closed: lines.append("registration: closed")
        case nil: break
        }
        let contact = [instance.contact.map { "@" + style.line($0.acct) } ?? "", style.line(instance.email)]
        let known = contact.filter { !$0.isEmpty }
        if !known.isEmpty { lines.append("contact: " + known.joined(separator: ", ")) }
        if !instance.languages.isEmpty {
            lines.append("languages: " + style.line(instance.languages.joined(separator: ", ")))
        }
        return lines + counts(instance)
    }

    private func counts(_ instance: InstanceDetails) -> [String] {
        let counts = [
            instance.accounts.map { Plural.text($0, "account") },
            instance.activeAccounts.map { "\($0) active within a month" },
            instance.statuses.map { Plural.text($0, "status", "statuses") },
        ].compactMap(\.self)
        return counts.isEmpty ? [] : [counts.joined(separator: ", ")]
    }

    private func limits(_ limits: InstanceDetails.Limits) -> [String] {
        let parts = [
            limits.characters.map { Plural.text($0, "character") }, limits.media.map { Plural.text($0, "media file") },
            limits.pollOptions.map { Plural.text($0, "option") + " of a poll" },
            limits.imageSize.map { ByteSize.text($0) + " per picture" },
            limits.videoSize.map { ByteSize.text($0) + " per video" },
        ].compactMap(\.self)
        return parts.isEmpty ? [] : ["limits of a status: " + parts.joined(separator: ", ")]
    }

    private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, columns: width) }
}
