import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists, sends or drops posts that have not been delivered.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Show, send or drop posts that have not reached the server yet.",
        discussion: """
            Each post is stored before it is sent. One that does not reach the server is sent with the next post or \
            timeline, and never appears twice. Its state is one of these:

              new      it has not reached the server
              sending  it may have reached the server; the next attempt finds out
              unclear  it may have reached the server; look there first, then decide

            A post that the server refuses becomes a draft; see feedclient drafts.

              feedclient outbox
              feedclient outbox flush
              feedclient outbox drop k3xp7a
            """,
        subcommands: [List.self, Flush.self, Drop.self], defaultSubcommand: List.self)

    /// Posts in files that cannot be read are not sent.
    static func warn(about unreadable: [String]) {
        guard !unreadable.isEmpty else { return }
        let files = Plural.text(unreadable.count, "file")
        StandardError.line("warning: \(files) in \(SafeText.line(GlobalOptions.outbox.folder)) cannot be read")
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the posts in the outbox, of all logins, the oldest first.",
            discussion: "Each line has the id, the age, the state, the login and the beginning of the text.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                let contents = try await GlobalOptions.outbox.contents()
                OutboxCommand.warn(about: contents.unreadableFiles)
                for entry in contents.entries {
                    if json {
                        print(try EntityJSON.line(StoredPostJSON(entry)))
                    } else {
                        StoredPostLine.print(StoredPostLine.text(entry, now: Milliseconds.now))
                    }
                }
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove posts from the outbox without sending them.",
            discussion: "A post that is sending or unclear may be on the server all the same.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The ids of the posts.", valueName: "id")) var ids: [String]
        @Flag(help: "Print the removed posts, one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try await EachItem.run(ids) { id in
                    let claim = try await GlobalOptions.outbox.claim(id)
                    try await claim.remove()
                    print(try json ? EntityJSON.line(StoredPostJSON(claim.entry)) : "dropped \(claim.entry.id)")
                }
            }
        }
    }
}
