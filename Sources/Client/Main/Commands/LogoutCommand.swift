import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Removes the current login.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove the current login and revoke its token.",
        discussion: """
            The timelines that are stored for the account are removed. What waits in its outbox is kept.

              feedclient logout
              feedclient logout --as @bob@feed.example
            """)

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.currentLogin()
            do {
                try await global.use { try await $0.revoke() }
            } catch let error as FeedClientError where error.status == 401 {
                // The token has been revoked already.
            } catch {
                StandardError.line("warning: the token could not be revoked: " + SafeText.line("\(error)"))
            }
            try await Self.remove(login)
        }
    }

    /// Removes a login from this machine, with the timelines that are stored for it.
    static func remove(_ login: CredentialStore.Login) async throws {
        let timelines = OfflineTimelines((try ServerAddress(login.server), login))
        try GlobalOptions.credentials.remove(login)
        await timelines.removeAll()
        GlobalOptions.listings.removeAll(server: login.server, username: login.username)
        print("logged out of \(SafeText.line(login.server))")
        await reportOutbox(of: OutboxAccount(login))
    }

    private static func reportOutbox(of account: OutboxAccount) async {
        let entries = (try? await Outbox(folder: GlobalOptions.folders.state).entries()) ?? []
        let count = entries.count { $0.account == account }
        guard count > 0 else { return }
        StandardError.line("kept in the outbox: \(Plural.text(count, "entry", "entries")); see feedclient outbox")
    }
}
