import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Makes another login the current one.
struct UseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Switch to another login of this machine.",
        discussion: """
            For a single command, add --as @name instead.

              feedclient use @bob
              feedclient use @bob@feed.example
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The login, as feedclient accounts lists it.", valueName: "@name[@server]"))
    var account: String

    func run() async throws {
        try await ErrorReporter.run {
            let credentials = GlobalOptions.credentials
            let login = try AccountReference(account).login(among: try global.logins())
            try credentials.select(login)
            print(SafeText.line("now @\(login.username) on \(login.server)"))
        }
    }
}
