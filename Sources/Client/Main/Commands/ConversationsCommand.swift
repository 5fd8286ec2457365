import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows the conversations of the account: threads of direct statuses.
struct ConversationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations", abstract: "Show your direct messages, by conversation.",
        discussion: """
            Each entry has the people, the newest status and its id; a dot marks what is unread. feedclient show ID \
            --thread shows the whole conversation, and feedclient reply ID answers. A new one begins with feedclient \
            post --visibility direct "@name …". conversations read takes the ids of statuses that are shown here.

              feedclient conversations
              feedclient conversations read 112233445566778899
            """,
        subcommands: [List.self, Read.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show your conversations, the newest first.")

        @OptionGroup var global: GlobalOptions
        @Option(name: [.customShort("n"), .long], help: "The maximum number of conversations.") var limit = 20
        @OptionGroup var stored: OfflineOptions
        @Flag(help: "Print one Conversation entity per line, as JSON.") var json = false

        func validate() throws {
            guard (1...10_000).contains(limit) else {
                throw ValidationError("-n (--limit) must be between 1 and 10000.")
            }
        }

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let (output, renderer) = (PagedOutput(), ConversationRenderer.forScreen())
                var count = 0
                try await output.use {
                    try await stored.use(global) { client in
                        try await client.readConversations(count: limit) { page in
                            count += page.count
                            return json
                                ? ScreenOutput.write(page.map { RawJSON.line($0.json) })
                                : output.show(page.flatMap { renderer.lines($0.conversation) })
                        }
                    }
                }
                if json { return }
                if count == 0 { StandardError.line("no conversations") }
                stored.tell(isEnd: (1..<limit).contains(count), "conversations")
            }
        }
    }

    struct Read: AsyncParsableCommand {
        /// The number of conversations among which a status is looked for.
        private static let searched = 400

        static let configuration = CommandConfiguration(abstract: "Mark conversations as read.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The ids of their newest statuses, or of the conversations.", valueName: "id"))
        var ids: [String]

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                var wanted: [String] = []
                for id in ids {
                    // The id of a conversation may be as short as a number in a listing.
                    do { wanted.append(try await global.statusID(id)) } catch let error as FeedClientError
                        where error.code == .usage && !id.contains("://")
                    {
                        wanted.append(id)
                    }
                }
                try await global.use { client in
                    let known = try await Self.conversations(with: Set(wanted), client)
                    try await EachItem.run(wanted) { id in
                        try await client.markConversationRead(known[id] ?? id)
                        print("read " + SafeText.line(id))
                    }
                }
            }
        }

        /// The ids of conversations, by those of their newest statuses.
        private static func conversations(
            with wanted: Set<String>, _ client: FeedClient
        ) async throws -> [String: String] {
            var known: [String: String] = [:]
            try await client.readConversations(count: searched) { page in
                for entry in page {
                    if let status = entry.conversation.last_status { known[status.id] = entry.conversation.id }
                }
                return !wanted.isSubset(of: known.keys)
            }
            return known
        }
    }
}
