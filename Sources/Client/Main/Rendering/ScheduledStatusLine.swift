import FeedAPI
import FeedTerminal

/// Renders a scheduled status as one line: id, local time, what is unusual about it, and the beginning of the text.
enum ScheduledStatusLine {
    private static let maximumWidth = 60

    static func text(_ status: Entity.ScheduledStatus) -> String {
        let parameters = status.params
        var notes: [String] = []
        if let visibility = parameters.visibility, visibility != "public" { notes.append(SafeText.line(visibility)) }
        if let warning = parameters.spoiler_text, !warning.isEmpty { notes.append("⚠ " + SafeText.line(warning)) }
        if let media = status.media_attachments, !media.isEmpty { notes.append("▣ \(media.count)") }
        let content = SafeText.line(parameters.text ?? "")
        let line = (notes.isEmpty ? "" : "[\(notes.joined(separator: ", "))] ") + content
        return SafeText.line(status.id) + "  " + ScheduleCommand.text(status) + "  "
            + DisplayWidth.truncated(line, to: maximumWidth)
    }
}
