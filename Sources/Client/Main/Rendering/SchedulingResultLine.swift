import FeedClientKit
import FeedTerminal

/// Renders what has become of a post as one line.
enum SchedulingResultLine {
    /// The address or the id of the status, or the id and the local time of the scheduled one.
    static func text(_ result: SchedulingResult) -> String {
        switch result {
        case .posted(let posted): SafeText.line(posted.status.url ?? posted.status.id)
        case .scheduled(let scheduled):
            "scheduled \(SafeText.line(scheduled.status.id)) for \(ScheduleCommand.text(scheduled.status))"
        }
    }

    /// The entity that the server sent.
    static func json(_ result: SchedulingResult) -> String {
        switch result {
        case .posted(let posted): JSONText.line(posted.json)
        case .scheduled(let scheduled): JSONText.line(scheduled.json)
        }
    }
}
