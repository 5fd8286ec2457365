import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Lists and ends the logins of the account, on all machines.
struct LoginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logins", abstract: "List or end the logins of your account, on all machines.",
        discussion: """
            Each line has the id of a login, when it began, and the application. A feed server also says which one this \
            command uses; if it is ended, it is removed from this machine, as by feedclient logout. feedclient accounts \
            lists the logins that this machine knows.

              feedclient logins
              feedclient logins end 112233445566778899
            """,
        subcommands: [List.self, End.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the logins of your account, the newest first.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one login per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let output = PagedOutput()
                try await output.use {
                    try await global.use { client in
                        try await client.readLogins { logins in
                            try json
                                ? ScreenOutput.write(logins.map { try EntityJSON.line($0) })
                                : output.show(logins.map(LoginsCommand.line))
                        }
                    }
                }
            }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End logins of your account.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("Their ids, as feedclient logins lists them.", valueName: "id")) var ids: [String]

        func run() async throws {
            try await ErrorReporter.run {
                let login = try global.login()
                try await global.use { client in
                    try await EachItem.run(ids) { id in
                        let ended = try await client.endLogin(id)
                        print("ended " + LoginsCommand.line(ended))
                        switch ended.current {
                        case true?: try await LogoutCommand.remove(login)
                        case false?: break
                        case nil: await warnIfRefused(client)
                        }
                    }
                }
            }
        }

        /// A login that is refused need not be the one that has been ended, so it is not removed.
        private func warnIfRefused(_ client: FeedClient) async {
            do { _ = try await client.verifyCredentials() } catch let error as FeedClientError
                where error.code == .unauthorized && error.status != 403
            {
                StandardError.line("warning: the server no longer accepts the login of this command")
                StandardError.line("hint: Remove it from this machine with feedclient logout.")
            } catch {
                // Nothing is known of the login.
            }
        }
    }

    /// The id, the time, the application, and a mark of the login of this command.
    fileprivate static func line(_ login: Entity.Login) -> String {
        let application = SafeText.line(login.application?.name ?? "")
        let parts = [
            SafeText.line(login.id), login.created_at.map { LocalTime.full(iso: $0) } ?? "",
            application.isEmpty ? "(no application)" : application, login.current == true ? "(this login)" : "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
