import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Removes the current login.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove the current login and revoke its token.",
        discussion: """
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
            try GlobalOptions.credentials.remove(login)
            print("logged out of \(SafeText.line(login.server))")
        }
    }
}
