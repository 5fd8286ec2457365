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
    @Argument(help: "What to say.") var text: String?
    @Option(help: .init("The status this answers: its id or its address.", valueName: "id")) var replyTo: String?
    @Option(help: "public, unlisted, private or direct.") var visibility: String?
    @Option(help: "A content warning.") var spoiler: String?
    @Flag(help: "Print the server's Status entity.") var json = false

    func validate() throws {
        guard ["public", "unlisted", "private", "direct"].contains(visibility ?? "public") else {
            throw ValidationError("--visibility must be public, unlisted, private or direct.")
        }
    }

    func run() async throws {
        try await Failure.reported {
            try global.login()
            let target = try replyTo.map { try global.statusID($0) }
            var draft = Draft(text: try words())
            (draft.inReplyToID, draft.visibility, draft.spoilerText) = (target, visibility, spoiler)
            let posted = try await global.use { try await $0.post(draft) }
            print(json ? JSONText.line(posted.json) : SafeText.line(posted.status.url ?? posted.status.id))
        }
    }

    private func words() throws -> String {
        if let text, text != "-" { return text }
        let data = try FileHandle.standardInput.read(upToCount: 1 << 20) ?? Data()
        guard var piped = String(data: data, encoding: .utf8) else {
            throw FeedClientError(.failed, "Standard input is no valid UTF-8", hint: "Convert it first.")
        }
        while piped.hasSuffix("\n") { piped.removeLast() }
        return piped
    }
}

/// Shows one status with everything.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one status.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The status's id or its address.") var id: String
    @Flag(help: "Print the server's Status entity.") var json = false

    func run() async throws {
        try await Failure.reported {
            let id = try global.statusID(id)
            let entry = try await global.use { try await $0.status(id) }
            if json { return print(JSONText.line(entry.json)) }
            var renderer = StatusRenderer.forScreen()
            renderer.revealsSensitive = true
            for line in renderer.lines(entry.status).dropLast() { print(line) }
        }
    }
}

/// Deletes one of one's own statuses.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete one of your statuses.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The status's id or its address.") var id: String

    func run() async throws {
        try await Failure.reported {
            try global.login()
            let id = try global.statusID(id)
            let gone = try await global.use { try await $0.delete(id) }
            print("deleted \(SafeText.line(gone.status.id))")
        }
    }
}
