import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Follows an account.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "follow", abstract: "Follow an account.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The user name, such as @ada.", valueName: "@name")) var name: String

    func run() async throws { try await Self.change(global, name, follows: true) }

    /// Follows or unfollows an account and prints the result.
    static func change(_ global: GlobalOptions, _ name: String, follows: Bool) async throws {
        try await ErrorReporter.run {
            let username = try global.login().username
            let account = try await global.use { client in
                let account = try await client.account(named: name)
                guard !follows || account.acct.lowercased() != username.lowercased() else {
                    throw FeedClientError(.failed, "You cannot follow yourself")
                }
                try await client.follow(account.id, follows)
                return account
            }
            print((follows ? "following @" : "no longer following @") + SafeText.line(account.acct))
        }
    }
}
