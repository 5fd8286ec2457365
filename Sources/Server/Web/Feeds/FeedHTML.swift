import FeedCore

/// The content of an entry as HTML: the text, the media and the poll of a status. As on the pages, a content warning
/// hides all of it, and sensitive media is hidden on its own.
struct FeedHTML {
    let status: Status
    let emoji: EmojiSet
    /// The address of the server, for relative addresses.
    let base: String

    var content: String {
        let body = emoji.shown(inHTML: status.content) + media + poll
        guard let warning = status.warningLine else { return absolute(body) }
        return absolute(Self.folded(warning, body))
    }

    private static func folded(_ summary: String, _ html: String) -> String {
        "<details><summary>" + FeedText.line(summary).escapedHTML + "</summary>" + html + "</details>"
    }

    private func absolute(_ html: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(localHTML: html, base: base)
        return FeedText.html(String(decoding: bytes, as: UTF8.self))
    }

    private var media: String {
        let html = status.media.map(media).joined()
        guard status.sensitive, status.spoilerText.isEmpty, !html.isEmpty else { return html }
        return Self.folded("Sensitive media: " + MediaText.summary(of: status.media), html)
    }

    private func media(_ media: MediaAttachment) -> String {
        let url = (base + media.path).escapedHTML
        let text = FeedText.line(media.description?.nonEmpty ?? English().withoutDescription(media.kind)).escapedHTML
        let link = "<a href=\"\(url)\">"
        switch media.kind {
        case .image:
            let preview = (base + (media.previewPath ?? media.path)).escapedHTML
            return "<p>\(link)<img src=\"\(preview)\" alt=\"\(text)\"></a></p>"
        case .video, .gifv: return "<p><video src=\"\(url)\" controls>\(link)\(text)</a></video></p>"
        case .audio: return "<p><audio src=\"\(url)\" controls>\(link)\(text)</a></audio></p>"
        case .unknown: return "<p>\(link)\(text)</a></p>"
        }
    }

    private var poll: String {
        guard let poll = status.poll else { return "" }
        let options = poll.options.map { option in
            let share = poll.showsTotals ? ": " + result(option, of: poll) : ""
            return "<li>" + (FeedText.line(option.title) + share).escapedHTML + "</li>"
        }
        let end = (poll.isExpired ? "Closed " : "Open until ") + PageDate.full(poll.expiresAt)
        return "<p>Poll:</p><ul>" + options.joined() + "</ul><p>\(PollText.summary(of: poll)), \(end)</p>"
    }

    private func result(_ option: Poll.Option, of poll: Poll) -> String {
        "\(PollText.percentage(option.votesCount, of: poll.votersCount)) %, " + English().votes(option.votesCount)
    }
}
