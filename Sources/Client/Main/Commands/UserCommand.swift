import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows an account.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "user", abstract: "Show an account.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The user name, such as @ada.", valueName: "@name")) var name: String

    func run() async throws {
        try await ErrorReporter.run {
            let account = try await global.use { try await $0.account(named: name) }
            let style = TextStyle(hasColor: TerminalCapabilities.current().hasColor)
            print(
                style.bold(SafeText.line(account.display_name.isEmpty ? account.username : account.display_name))
                    + " @" + SafeText.line(account.acct))
            if let note = account.note, !note.isEmpty {
                for line in TextWrap.lines(
                    SafeText.block(PlainText.from(html: note)), columns: TerminalCapabilities.current().columns)
                { print(line) }
            }
            let counts = [
                ("statuses", account.statuses_count), ("followers", account.followers_count),
                ("following", account.following_count),
            ]
            print(
                style.dim(counts.compactMap { name, count in count.map { "\($0) \(name)" } }.joined(separator: " · ")))
            if let url = account.url { print(SafeText.line(url)) }
        }
    }
}
