import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Edits a status of the account.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit one of your statuses.",
        discussion: """
            TEXT replaces the text of the status; without it, an editor or a prompt shows the present one, as for post. \
            Media, poll, visibility and, without --spoiler, the content warning stay as they are.

              feedclient edit 112233445566778899 "The corrected text"
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The id or URL of the status.") var id: String
    @Argument(help: .init("The new text.", valueName: "text")) var words: [String] = []
    @Option(help: "Another content warning; \"\" for none.") var spoiler: String?
    @Flag(help: "Print the Status entity as JSON.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let id = try global.statusID(id)
            let present = try await global.use { try await $0.draft(editing: id) }
            let composer = try Composer(global, "edit \(id)")
            let text = try newText(composer, present)
            let draft = changed(present, text)
            let entry = try await composer.sending(text, draft) {
                try await global.use { try await $0.edit(id, to: draft) }
            }
            print(json ? JSONText.line(entry.json) : SafeText.line(entry.status.url ?? entry.status.id))
        }
    }

    /// With only `--spoiler`, the text stays as it is.
    private func newText(_ composer: Composer, _ present: Draft) throws -> StatusText {
        if words.isEmpty, spoiler != nil { return StatusText(text: present.text, origin: .given) }
        return try composer.text(words, opening: present.text)
    }

    private func changed(_ present: Draft, _ text: StatusText) -> Draft {
        var draft = present
        draft.text = text.text
        draft.spoilerText = spoiler ?? (text.isPrecious ? text.draft?.spoilerText : nil) ?? present.spoilerText
        return draft
    }
}
