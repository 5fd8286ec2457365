import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists, sends or drops posts that have not been delivered.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Show, send or drop posts that have not reached the server yet.",
        discussion: """
            Each post is stored before it is sent. One that does not reach the server is sent with the next post or \
            timeline, and never appears twice. So is what else you do with statuses, accounts, lists and hashtags, in \
            its order. The state is one of these:

              new      it has not reached the server
              sending  it may have reached the server; the next attempt finds out
              unclear  it may have reached the server; look there first, then decide

            A post that the server refuses becomes a draft; see feedclient drafts. Anything else that it refuses is \
            reported and dropped.

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
            discussion:
                "Each line has the id, the age, the state, the login, and the action or the beginning of the text.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                let contents = try await GlobalOptions.outbox.contents()
                OutboxCommand.warn(about: contents.unreadableFiles)
                if contents.entries.isEmpty, contents.unreadableFiles.isEmpty {
                    StandardError.line("no posts in the outbox")
                }
                for entry in contents.entries {
                    if json {
                        print(try EntityJSON.line(OutboxJSON(entry)))
                    } else {
                        OutboxRenderer.print(OutboxRenderer.text(entry, now: Milliseconds.now))
                    }
                }
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove posts from the outbox without sending them.",
            discussion: "A post that is sending or unclear may have reached the server.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The ids of the posts.", valueName: "id")) var ids: [String]
        @Flag(help: "Print the removed posts, one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try await EachItem.run(ids) { id in
                    let claim = try await GlobalOptions.outbox.claim(id)
                    try await claim.remove()
                    print(try json ? EntityJSON.line(OutboxJSON(claim.entry)) : "dropped \(claim.entry.id)")
                }
            }
        }
    }
}

extension OutboxCommand {
    struct Flush: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send the posts in the outbox.",
            discussion: """
                Without ID, the posts of the current login are sent, except those that remain unclear. With ID, a post \
                is sent even then, unless it is found among your statuses. Refused posts become drafts. Exits with 6 if only some of \
                several posts were sent.
                """)

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The ids of the posts to send in any case.", valueName: "id")) var ids: [String] = []
        @Flag(help: "Print the entities that the server sends, one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                guard ids.isEmpty else { return try await EachItem.run(ids, send) }
                try await sendAll()
            }
        }

        /// Sends a post as the account that wrote it.
        private func send(_ id: String) async throws {
            let claim = try await GlobalOptions.outbox.claim(id)
            let result = try await global.use(claim.entry.account) { try await claim.send(with: $0, .resend) }
            switch result {
            case .delivered(let entry, let sent): show(entry, sent)
            case .refused(let entry, let error): throw OutboxFlush.refusal(entry, error)
            case .kept(let entry, let error): throw error ?? OutboxSubmission.unclear(entry)
            }
        }

        private func sendAll() async throws {
            let account = OutboxAccount(try global.login())
            OutboxCommand.warn(about: try await GlobalOptions.outbox.contents().unreadableFiles)
            var (count, errors) = (0, [FeedClientError]())
            try await global.use { client in
                _ = try await GlobalOptions.outbox.flush(account, with: client, .flush) { result in
                    switch result {
                    case .delivered(let entry, let sent):
                        count += 1
                        show(entry, sent)
                    case .refused(let entry, let error):
                        errors.append(try failure(of: entry, OutboxFlush.refusal(entry, error)))
                    case .kept(let entry, let error):
                        errors.append(try failure(of: entry, error ?? OutboxSubmission.unclear(entry)))
                    }
                }
            }
            if let first = errors.first { throw count > 0 ? ExitCode.partlyDone : ExitCode(first) }
            if count == 0 { StandardError.line("nothing to send") }
        }

        /// Reports the error of one of several posts; one that is not about the post ends the command.
        private func failure(of entry: OutboxEntry, _ error: any Error) throws -> FeedClientError {
            guard let error = error as? FeedClientError else { throw error }
            StandardError.report("\(entry.id): \(error.message)", hint: error.hint)
            return error
        }

        private func show(_ entry: OutboxEntry, _ sent: ActionResult) {
            print(json ? ActionResultRenderer.json(sent) : ActionResultRenderer.text(sent, entry.post.action))
        }
    }
}
