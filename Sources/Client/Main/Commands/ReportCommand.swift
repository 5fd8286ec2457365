import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Reports an account to the moderators.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Report an account, and statuses of it, to the moderators.",
        discussion: """
            The moderators of your server see the report and who has sent it; the account does not.

              feedclient report @mallory 112233445566778899 --comment "Advertises pills" --category spam
            """)

    enum Category: String, CaseIterable, ExpressibleByArgument { case spam, legal, violation, other }

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The username, such as @mallory.", valueName: "@name")) var name: String
    @Argument(help: .init("The ids or URLs of statuses that the report is about.", valueName: "id"))
    var statuses: [String] = []
    @Option(help: .init("What is wrong.", valueName: "text")) var comment = ""
    @Option(help: "spam, legal, violation (of the rules) or other.") var category: Category?
    @Flag(help: "Inform the server of the account, too, if it is another one.") var forward = false

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            var statuses: [String] = []
            for status in self.statuses { statuses.append(try await global.statusID(status)) }
            let account = try await global.use { client in
                let account = try await client.account(named: name)
                try await client.report(
                    account.id, statuses: statuses, comment: comment, category: category?.rawValue, forwards: forward)
                return account
            }
            print("reported @" + SafeText.line(account.acct))
        }
    }
}
