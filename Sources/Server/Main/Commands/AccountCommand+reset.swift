import ArgumentParser
import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal

extension AccountCommand {
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link with which somebody sets a new password.",
            discussion: """
                The link works once, for a day, and replaces an earlier one. Only its hash is stored. The password and the \
                logins of the account stay as they are until it is used. Administrators can make such a link in the web \
                reader, too.

                Without --base-url or FEEDSERVER_BASE_URL, prints only the path of the address.
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The username.") var name: String
        @OptionGroup var address: PublicAddressOption

        func run() async throws {
            try await Failure.reported {
                let base = try address.base()
                let reset = try await data.use { database in
                    try await PasswordResetStore(database).create(for: try await database.account(name).id)
                }
                print(base + reset.path)
                StandardError.line(
                    "\(reset.account.username) can set a new password once, "
                        + "until \(ISO8601.text(milliseconds: reset.expiresAt))")
            }
        }
    }
}
