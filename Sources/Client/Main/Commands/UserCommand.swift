import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows an account.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Show an account.",
        discussion: """
            If you are logged in, it also shows whether you follow, block or mute each other.

              feedclient user @ada
              feedclient user @ada --json
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print the Account entity as JSON.") var json = false
    @Argument(help: .init("The username, such as @ada.", valueName: "@name"), completion: Completions.account) var name:
        String

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.session().login
            if json { return print(JSONText.line(try await global.use { try await $0.lookUp(name) }.json)) }
            let (account, relationship) = try await global.use { client in
                let account = try await client.account(named: name)
                return (account, try await Self.relationship(to: account, login, client))
            }
            let output = ScreenOutput()
            let renderer = AccountRenderer(columns: output.screen.wrapColumns, style: TextStyle(output.screen))
            output.show(renderer.lines(account, relationship))
        }
    }

    /// `nil` without a login, and for the user's own account.
    private static func relationship(
        to account: Entity.Account, _ login: CredentialStore.Login?, _ client: FeedClient
    ) async throws -> Entity.Relationship? {
        guard let login, !login.isClassic, login.username.lowercased() != account.acct.lowercased() else { return nil }
        return try await client.relationship(to: account.id)
    }
}
