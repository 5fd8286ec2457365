import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows and answers requests to follow the account.
struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "Show, accept or reject requests to follow you.",
        discussion: """
            Accounts ask you first if your profile is locked: feedclient profile --set locked=true.

              feedclient requests
              feedclient requests accept @ada @bob
            """,
        subcommands: [List.self, Accept.self, Reject.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the requests to follow you.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one Account entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let isEmpty = try await AccountListPrinter.show(isJSON: json, line: AccountLine.text) { show in
                    try await global.use { try await $0.readFollowRequests(onPage: show) }
                }
                if isEmpty, !json { StandardError.line("no requests") }
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Accept requests.")

        @OptionGroup var options: AnswerOptions

        func run() async throws { try await options.answer(accepts: true) }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Reject requests; the accounts are not notified.")

        @OptionGroup var options: AnswerOptions

        func run() async throws { try await options.answer(accepts: false) }
    }

    struct AnswerOptions: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The usernames, such as @ada.", valueName: "@name"), completion: Completions.account)
        var names: [String]

        /// Answers the requests one after the other and prints a line for each.
        fileprivate func answer(accepts: Bool) async throws {
            try await ErrorReporter.run {
                try global.login()
                try await global.use { client in
                    for name in names {
                        let account = try await client.account(named: name)
                        try await Self.answer(account, accepts, client)
                        print((accepts ? "accepted @" : "rejected @") + SafeText.line(account.acct))
                    }
                }
            }
        }

        private static func answer(_ account: Entity.Account, _ accepts: Bool, _ client: FeedClient) async throws {
            do {
                try await client.answerFollowRequest(of: account.id, accepts: accepts)
            } catch let error as FeedClientError where error.code == .notFound {
                throw FeedClientError(
                    .notFound, "@\(account.acct) has not requested to follow you",
                    hint: "feedclient requests lists the accounts that have.", cause: error, status: error.status)
            }
        }
    }
}
