import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Posts a status.
struct PostCommand: AsyncParsableCommand {
    /// The limit of this server, and the default of Mastodon.
    private static let maximumMedia = 4

    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post a status.",
        discussion: """
            Without TEXT, or with -, the text is read from standard input. A status with media needs no text. The first \
            --alt describes the first --media, and so on; --alt "" leaves one out. Each --poll is an option of a poll. \
            TIME is local time such as 2026-12-24T18:00, or the time from now such as +2h or +1d12h.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The text of the status.") var text: String?
    @Option(help: .init("A picture, video or recording to attach; up to four times.", valueName: "file"))
    var media: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("A description of a media file for people who cannot see or hear it.", valueName: "text"))
    var alt: [String] = []
    @Option(help: .init("The id or URL of the status to reply to.", valueName: "id")) var replyTo: String?
    @Option(help: "public, unlisted, private or direct.") var visibility: String?
    @Option(help: "A content warning.") var spoiler: String?
    @OptionGroup var poll: PollOptions
    @Option(help: .init("Let the server post it at a later time, at least 5 minutes from now.", valueName: "time"))
    var schedule: String?
    @Flag(help: "Print the Status entity as JSON, or the ScheduledStatus entity.") var json = false
    @OptionGroup var progress: ProgressOption

    func validate() throws {
        guard ["public", "unlisted", "private", "direct"].contains(visibility ?? "public") else {
            throw ValidationError("--visibility must be public, unlisted, private or direct.")
        }
        guard media.count <= Self.maximumMedia else {
            throw ValidationError("A status can have at most \(Self.maximumMedia) media files.")
        }
        guard media.isEmpty || poll.options.isEmpty else {
            throw ValidationError("A status cannot have both a poll and media files.")
        }
        guard alt.count <= media.count else { throw ValidationError("Each --alt needs a --media.") }
    }

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let time = try schedule.map(ScheduleCommand.time)
            let target = try replyTo.map { try global.statusID($0) }
            var draft = Draft(text: try readText())
            (draft.inReplyToID, draft.visibility, draft.spoilerText) = (target, visibility, spoiler)
            draft.poll = poll.draft
            if spoiler != nil, !media.isEmpty { draft.isSensitive = true }
            if let time { return try show(try await sendLater(draft, at: time)) }
            show(try await send(draft))
        }
    }

    private func show(_ posted: TimelineEntry) {
        print(json ? JSONText.line(posted.json) : SafeText.line(posted.status.url ?? posted.status.id))
    }

    private func show(_ result: SchedulingResult) throws {
        switch result {
        case .posted(let posted):
            show(posted)
            throw FeedClientError(
                .failed, "The server has posted it now, because it cannot schedule posts",
                hint: "Delete it with feedclient delete \(posted.status.id).")
        case .scheduled(let scheduled):
            print(
                json
                    ? JSONText.line(scheduled.json)
                    : "scheduled \(SafeText.line(scheduled.status.id)) for \(ScheduleCommand.text(scheduled.status))")
        }
    }

    private func send(_ draft: Draft) async throws -> TimelineEntry {
        try await reporting { client, progress in
            try await client.post(draft, attaching: files, progress: progress)
        }
    }

    private func sendLater(_ draft: Draft, at time: Int64) async throws -> SchedulingResult {
        try await reporting { client, progress in
            try await client.schedule(draft, at: time, attaching: files, progress: progress)
        }
    }

    /// Runs `send` and shows the progress of the uploads.
    private func reporting<Value>(
        _ send: (FeedClient, @escaping @Sendable (Int, Int64) -> Void) async throws -> Value
    ) async throws -> Value {
        let reporter = MediaProgress(media, progress)
        defer { reporter.clear() }
        let sent = try await global.use { client in
            try await send(client) { reporter.show($0, done: $1) }
        }
        reporter.finish()
        return sent
    }

    private var files: [MediaFile] {
        media.enumerated().map { index, path in
            MediaFile(path, description: index < alt.count && !alt[index].isEmpty ? alt[index] : nil)
        }
    }

    private func readText() throws -> String {
        if let text, text != "-" { return text }
        // At a terminal, the program would wait for a text that is not needed.
        if text == nil, !media.isEmpty, isatty(STDIN_FILENO) == 1 { return "" }
        let data = try FileHandle.standardInput.read(upToCount: 1 << 20) ?? Data()
        guard var piped = String(data: data, encoding: .utf8) else {
            throw FeedClientError(.failed, "Standard input is not valid UTF-8", hint: "Convert the text to UTF-8.")
        }
        while piped.hasSuffix("\n") { piped.removeLast() }
        return piped
    }
}
