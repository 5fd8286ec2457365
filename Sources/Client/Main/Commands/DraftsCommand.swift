import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists, edits or drops posts that the server has refused, or that could not be sent.
struct DraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts", abstract: "Show, edit or drop drafts: posts that the server has refused.",
        discussion: """
            A post that the server refuses becomes a draft, with its media, poll and visibility, until it is sent or \
            dropped. A new post leaves drafts alone.

              feedclient drafts
              feedclient drafts edit k3xp7a
              feedclient drafts drop k3xp7a
            """,
        subcommands: [List.self, Edit.self, Drop.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the drafts of all logins, the oldest first.",
            discussion: """
                Each line has the id, the time, the purpose, the login and the beginning of the text; the next one \
                says why the server refused it.
                """)

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                let drafts = GlobalOptions.drafts.drafts()
                if drafts.isEmpty { StandardError.line("no drafts") }
                for draft in drafts {
                    if json {
                        print(try EntityJSON.line(OutboxJSON(draft)))
                    } else {
                        OutboxRenderer.print(OutboxRenderer.text(draft, now: Milliseconds.now))
                    }
                }
            }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Edit a draft, and send it.",
            discussion: """
                TEXT replaces the text; without it, an editor or a prompt shows the present one, as for post, and an \
                unchanged text is sent only after a question. Media, poll, visibility and content warning of the draft \
                stay, unless an option replaces them.

                  feedclient drafts edit k3xp7a
                  feedclient drafts edit k3xp7a "A shorter text"
                  feedclient drafts edit k3xp7a --media smaller.jpg
                """)

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The id of the draft.") var id: String
        @Argument(help: .init("The new text.", valueName: "text")) var words: [String] = []
        @OptionGroup var options: PostOptions

        func run() async throws {
            try await ErrorReporter.run {
                let draft = try GlobalOptions.drafts.draft(id)
                var global = global
                global.account = global.account ?? "@\(draft.account.username)@\(draft.account.host)"
                try global.login()
                guard let edited = draft.editedID else {
                    return try await options.post(words, to: draft.post.draft.inReplyToID, nil, draft: draft, global)
                }
                try await EditCommand.edit(edited, words, options.spoiler, options.json, draft: draft, global)
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove drafts.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The ids of the drafts.", valueName: "id")) var ids: [String]
        @Flag(help: "Print the removed drafts, one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try await EachItem.run(ids) { id in
                    let draft = try GlobalOptions.drafts.draft(id)
                    GlobalOptions.drafts.remove(id)
                    print(try json ? EntityJSON.line(OutboxJSON(draft)) : "dropped \(id)")
                }
            }
        }
    }
}
