import ArgumentParser
import FeedClientKit
import FeedTerminal

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
        @Flag(help: "Print the Status entities, one JSON object per line.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                guard ids.isEmpty else { return try await EachItem.run(ids, send) }
                try await sendAll()
            }
        }

        /// Sends a post as the account that wrote it.
        private func send(_ id: String) async throws {
            let claim = try await GlobalOptions.outbox.claim(id)
            let login = try login(of: claim.entry)
            let address = try ServerAddress(login.server)
            let result = try await global.use(address, login.credential) { try await claim.send(with: $0, .resend) }
            switch result {
            case .delivered(_, let sent): show(sent)
            case .refused(let entry, let error): throw OutboxFlush.refusal(entry, error)
            case .kept(let entry, let error): throw error ?? OutgoingPost.unclear(entry)
            }
        }

        private func login(of entry: OutboxEntry) throws -> CredentialStore.Login {
            guard
                let login = try GlobalOptions.credentials.logins().first(where: { OutboxAccount($0) == entry.account })
            else {
                throw FeedClientError(
                    .unauthorized, "Not logged in as @\(entry.account.username) to \(entry.account.server)",
                    hint: "Log in with feedclient login \(entry.account.server).")
            }
            return login
        }

        private func sendAll() async throws {
            let account = OutboxAccount(try global.login())
            OutboxCommand.warn(about: try await GlobalOptions.outbox.contents().unreadableFiles)
            var (count, errors) = (0, [FeedClientError]())
            try await global.use { client in
                _ = try await GlobalOptions.outbox.flush(account, with: client, .flush) { result in
                    switch result {
                    case .delivered(_, let sent):
                        count += 1
                        show(sent)
                    case .refused(let entry, let error):
                        errors.append(try failure(of: entry, OutboxFlush.refusal(entry, error)))
                    case .kept(let entry, let error):
                        errors.append(try failure(of: entry, error ?? OutgoingPost.unclear(entry)))
                    }
                }
            }
            if let first = errors.first { throw ExitCode(count > 0 ? 6 : ExitCode.code(for: first)) }
            if count == 0 { StandardError.line("nothing to send") }
        }

        /// Reports the error of one of several posts; one that is not about the post ends the command.
        private func failure(of entry: OutboxEntry, _ error: any Error) throws -> FeedClientError {
            guard let error = error as? FeedClientError else { throw error }
            StandardError.report("\(entry.id): \(error.message)", hint: error.hint)
            return error
        }

        private func show(_ sent: SchedulingResult) {
            print(json ? SchedulingResultLine.json(sent) : SchedulingResultLine.text(sent))
        }
    }
}
