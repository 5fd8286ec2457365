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
            --alt describes the first --media, and so on; --alt "" leaves one out. Each --poll is an option of a poll.
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
    @Flag(help: "Print the Status entity as JSON.") var json = false
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
            let target = try replyTo.map { try global.statusID($0) }
            var draft = Draft(text: try readText())
            (draft.inReplyToID, draft.visibility, draft.spoilerText) = (target, visibility, spoiler)
            draft.poll = poll.draft
            if spoiler != nil, !media.isEmpty { draft.isSensitive = true }
            let posted = try await send(draft)
            print(json ? JSONText.line(posted.json) : SafeText.line(posted.status.url ?? posted.status.id))
        }
    }

    private func send(_ draft: Draft) async throws -> TimelineEntry {
        let reporter = MediaProgress(media, progress)
        defer { reporter.clear() }
        let posted = try await global.use { client in
            try await client.post(draft, attaching: files) { reporter.show($0, done: $1) }
        }
        reporter.finish()
        return posted
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
