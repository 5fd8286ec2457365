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
    @OptionGroup var stored: OfflineOptions
    @Flag(help: "Print the Account entity as JSON.") var json = false
    @Argument(help: .init("The username, such as @ada.", valueName: "@name"), completion: Completions.account) var name:
        String

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.session().login
            let (account, json) = try await stored.find(global, { try await $0.lookUp(name) }) {
                try await $0.statuses().account(named: acct(at: try global.session().address))
            }
            if self.json { return print(RawJSON.line(json)) }
            let relationship = try await relationship(to: account, login)
            let output = ScreenOutput()
            let renderer = AccountRenderer(columns: output.screen.wrapColumns, style: TextStyle(output.screen))
            output.show(renderer.lines(account, relationship))
        }
    }

    /// The handle as statuses on a server show it.
    private func acct(at address: ServerAddress) -> String {
        guard let handle = AccountHandle(name) else { return name }
        return handle.isLocal(to: address.authority) ? handle.name : handle.acct
    }

    /// `nil` without a login, for the user's own account, and if it is not stored.
    private func relationship(
        to account: Entity.Account, _ login: CredentialStore.Login?
    ) async throws -> Entity.Relationship? {
        guard let login, !login.isClassic, login.username.lowercased() != account.acct.lowercased() else { return nil }
        do {
            return try await stored.use(global) { try await $0.relationship(to: account.id) }
        } catch let error as FeedClientError where stored.offline && error.code == .unreachable {
            return nil
        }
    }
}
