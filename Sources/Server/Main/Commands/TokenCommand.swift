import ArgumentParser
import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal

/// `feedserver token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke access tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it.",
            discussion: "The token cannot be shown again; only its hash is stored.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The account's username.") var name: String
        @Option(help: "The scopes of the token, separated by spaces.") var scopes = "read write follow push"

        func run() async throws {
            try await Failure.reported {
                let scopes = try ScopeSet(parsing: scopes)
                let secret = try await data.use { database in
                    let account = try await database.account(name)
                    return try await Authentication(store: TokenStore(database))
                        .create(
                            for: account.id, scopes: scopes, application: ClientApplication(name: "feedserver token"))
                }
                print(secret)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List an account's tokens.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The account's username.") var name: String

        func run() async throws {
            try await Failure.reported {
                let tokens = try await data.use { database in
                    try await TokenStore(database).list(accountID: try await database.account(name).id)
                }
                for token in tokens {
                    let created = ISO8601.text(milliseconds: token.createdAt)
                    print(
                        "\(token.id)  \(created)  \(SafeText.line(token.application))  \(SafeText.line(token.scopes.formatted))"
                    )
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a token.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The token's id, as shown by token list.") var id: Int64

        func run() async throws {
            try await Failure.reported {
                guard try await data.use({ try await TokenStore($0).revoke(id: id) }) else {
                    throw FeedError(
                        .notFound, "no such token: \(id)", hint: "feedserver token list NAME shows an account's tokens."
                    )
                }
                StandardError.line("revoked token \(id)")
            }
        }
    }
}
