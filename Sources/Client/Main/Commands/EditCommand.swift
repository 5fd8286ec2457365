import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Edits a status of the account.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit one of your statuses.",
        discussion: """
            TEXT replaces the text of the status; without it, an editor or a prompt shows the present one, as for post. \
            Media, poll, visibility and, without --spoiler, the content warning stay as they are. If the status is named \
            by its number in a listing, its text is shown first, and you are asked. While the server is away, the edit \
            waits in the outbox if TEXT is given and the status is stored.

              feedclient edit 3 "The corrected text"
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
    @Argument(help: .init("The new text.", valueName: "text")) var words: [String] = []
    @Option(help: "Another content warning; \"\" for none.") var spoiler: String?
    @Flag(help: "Print the Status entity as JSON.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let status = try await global.status(id)
            try await StatusConfirmation.ask("Edit this status?", status, global)
            try await Self.edit(status.id, words, spoiler, json, global)
        }
    }

    /// - Parameters:
    ///   - spoiler: Another content warning; empty for none, `nil` for the current one.
    ///   - chosen: The draft of the new text; `nil` for another text.
    static func edit(
        _ id: String, _ words: [String], _ spoiler: String?, _ json: Bool, draft chosen: StoredDraft? = nil,
        _ global: GlobalOptions
    ) async throws {
        let original = try await original(id, hasText: !words.isEmpty, global)
        let composer = try Composer(global, editing: id, draft: chosen)
        // With only `--spoiler`, the text stays as it is.
        let text =
            words.isEmpty && spoiler != nil && chosen == nil
            ? PostText(text: original.text, origin: .given) : try composer.text(words, opening: original.text)
        var draft = original
        draft.text = text.text
        try Composer.check(draft.text, hasMedia: !draft.mediaIDs.isEmpty)
        draft.spoilerText = spoiler ?? text.draft?.post.draft.spoilerText ?? original.spoilerText
        // A warning hides the media with the text, so they are shown again without it.
        if spoiler?.isEmpty == true, original.spoilerText != nil { draft.isSensitive = nil }
        let post = OutboxPost(.edit(id: id), draft: draft)
        let sent = try await OutgoingPost(composer: composer, text: text, post: post, global: global).send()
        print(json ? ActionResultRenderer.json(sent) : ActionResultRenderer.text(sent))
    }

    /// The present content. Without a network, what is stored is enough for an edit that replaces the text.
    private static func original(_ id: String, hasText: Bool, _ global: GlobalOptions) async throws -> Draft {
        do { return try await global.use { try await $0.draft(editing: id) } } catch let error as FeedClientError
            where hasText
        {
            return try Draft(editing: try await global.storedStatus(id, insteadOf: error).status)
        }
    }
}
