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
            try await Self.edit(try global.statusID(id), words, spoiler, json, global)
        }
    }

    /// - Parameters:
    ///   - spoiler: Another content warning; empty for none, `nil` for the present one.
    ///   - chosen: The draft of the new text; `nil` to offer the newest one for this status.
    static func edit(
        _ id: String, _ words: [String], _ spoiler: String?, _ json: Bool, draft chosen: KeptDraft? = nil,
        _ global: GlobalOptions
    ) async throws {
        let present = try await global.use { try await $0.draft(editing: id) }
        let composer = try Composer(global, editing: id, draft: chosen)
        // With only `--spoiler`, the text stays as it is.
        let text =
            words.isEmpty && spoiler != nil && chosen == nil
            ? StatusText(text: present.text, origin: .given) : try composer.text(words, opening: present.text)
        var draft = present
        draft.text = text.text
        draft.spoilerText = spoiler ?? text.draft?.post.draft.spoilerText ?? present.spoilerText
        let entry = try await composer.sending(text, OutboxPost(draft: draft)) { [draft] in
            try await global.use { try await $0.edit(id, to: draft) }
        }
        print(json ? JSONText.line(entry.json) : SafeText.line(entry.status.url ?? entry.status.id))
    }
}
