import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Posts a status.
struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post a status.",
        discussion: "Without TEXT, or with -, the text is read from standard input.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The text of the status.") var text: String?
    @Option(help: .init("The id or URL of the status to reply to.", valueName: "id")) var replyTo: String?
    @Option(help: "public, unlisted, private or direct.") var visibility: String?
    @Option(help: "A content warning.") var spoiler: String?
    @Flag(help: "Print the Status entity as JSON.") var json = false

    func validate() throws {
        guard ["public", "unlisted", "private", "direct"].contains(visibility ?? "public") else {
            throw ValidationError("--visibility must be public, unlisted, private or direct.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let target = try replyTo.map { try global.statusID($0) }
            var draft = Draft(text: try readText())
            (draft.inReplyToID, draft.visibility, draft.spoilerText) = (target, visibility, spoiler)
            let posted = try await global.use { try await $0.post(draft) }
            print(json ? JSONText.line(posted.json) : SafeText.line(posted.status.url ?? posted.status.id))
        }
    }

    private func readText() throws -> String {
        if let text, text != "-" { return text }
        let data = try FileHandle.standardInput.read(upToCount: 1 << 20) ?? Data()
        guard var piped = String(data: data, encoding: .utf8) else {
            throw FeedClientError(.failed, "Standard input is not valid UTF-8", hint: "Convert the text to UTF-8.")
        }
        while piped.hasSuffix("\n") { piped.removeLast() }
        return piped
    }
}
