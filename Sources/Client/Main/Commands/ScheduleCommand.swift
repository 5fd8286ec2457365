import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Lists, cancels and moves scheduled statuses.
struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "List, cancel or move posts that the server will post later.",
        discussion: """
            Schedule a post with feedclient post --schedule TIME.

              feedclient schedule
              feedclient schedule move 5 +2h
            """,
        subcommands: [List.self, Cancel.self, Move.self], defaultSubcommand: List.self)

    /// Parses a time on the command line.
    /// - Returns: Milliseconds since 1970.
    static func time(_ text: String) throws -> Int64 {
        try ScheduledTime.milliseconds(text, now: Milliseconds.now)
    }

    /// The time of publication in local time, such as `2026-12-24 18:00`.
    static func text(_ status: Entity.ScheduledStatus) -> String {
        LocalTime.full(iso: status.scheduled_at)
    }
}

extension ScheduleCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your scheduled posts, the next one first.",
            discussion: "Each line has the id, the local time and the beginning of the text.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let entries = try await global.use { try await $0.scheduledStatuses() }
                if entries.isEmpty { StandardError.line("no scheduled posts") }
                for entry in entries.sorted(by: { $0.status.scheduled_at < $1.status.scheduled_at }) {
                    print(json ? RawJSON.line(entry.json) : ScheduledStatusLine.text(entry.status))
                }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Cancel scheduled posts.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The ids of the scheduled posts.") var ids: [String]

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                try await global.use { client in
                    for id in ids {
                        try await client.cancelScheduledStatus(id)
                        print("canceled \(SafeText.line(id))")
                    }
                }
            }
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the time of a scheduled post.",
            discussion: "TIME is local time such as 2026-12-24T18:00, or the time from now such as +2h or +1d12h.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The id of the scheduled post.") var id: String
        @Argument(help: "The new time, at least 5 minutes from now.") var time: String
        @Flag(help: "Print the ScheduledStatus entity as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let time = try ScheduleCommand.time(time)
                let moved = try await global.use { try await $0.moveScheduledStatus(id, to: time) }
                let result = ActionResult.scheduled(moved)
                print(json ? ActionResultRenderer.json(result) : ActionResultRenderer.text(result))
            }
        }
    }
}

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
            + TextWidth.truncated(line, to: maximumWidth)
    }
}
