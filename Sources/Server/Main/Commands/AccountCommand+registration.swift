import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal

extension AccountCommand {
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approve a sign-up.",
            discussion: """
                With serve --registration approval, accounts are hidden and cannot log in until they are approved. \
                feedserver account list shows the accounts that await approval.
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await Failure.reported {
                let account = try await data.use { database in
                    try await RegistrationStore(database).approve(try await database.account(name).id)
                }
                StandardError.line("\(account.username) is approved")
            }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reject a sign-up.", discussion: "Deletes the account; its name can be used again.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await Failure.reported {
                let signUp = try await data.use { database in
                    try await RegistrationStore(database).reject(try await database.account(name).id)
                }
                StandardError.line("\(signUp.account.username) is rejected")
            }
        }
    }
}
