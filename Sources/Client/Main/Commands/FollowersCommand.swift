import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Lists the followers of an account.
struct FollowersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers", abstract: "List the followers of an account.",
        discussion: """
            An account may hide them. Without a name, your own are listed.

              feedclient followers @ada
            """)

    @OptionGroup var options: FollowListOptions

    func run() async throws {
        try await options.show("no followers") { client, id, show in
            try await client.readFollowers(of: id, onPage: show)
        }
    }
}

/// Lists the accounts that an account follows.
struct FollowingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "List the accounts that an account follows.",
        discussion: """
            An account may hide them. Without a name, those that you follow are listed.

              feedclient following @ada
            """)

    @OptionGroup var options: FollowListOptions

    func run() async throws {
        try await options.show("follows nobody") { client, id, show in
            try await client.readFollowing(of: id, onPage: show)
        }
    }
}

/// The options of lists that only the account itself sees.
struct HiddenListOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one Account entity per line, as JSON.") var json = false

    /// - Parameter nobody: What to say about an empty list.
    func show(
        _ nobody: String, _ read: @escaping (FeedClient, FollowListOptions.Show) async throws -> Void
    ) async throws {
        try await ErrorReporter.run {
            try global.login()
            let isEmpty = try await AccountListPrinter.show(isJSON: json, line: AccountLine.text) { show in
                try await global.use { try await read($0, show) }
            }
            if isEmpty, !json { StandardError.line(nobody) }
        }
    }
}

/// The account whose followers or followed accounts are listed.
struct FollowListOptions: ParsableArguments {
    typealias Show = (_ page: [Entity.Account]) async throws -> Bool

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The username, such as @ada (default: yours).", valueName: "@name")) var name: String?
    @Option(name: [.customShort("n"), .long], help: "The maximum number of accounts (default: all).") var limit: Int?
    @Flag(help: "Print one Account entity per line, as JSON.") var json = false

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("-n (--limit) must be at least 1.") }
    }

    /// - Parameters:
    ///   - nobody: What to say about an empty list.
    ///   - read: Reads the list of the account with this id.
    fileprivate func show(
        _ nobody: String, _ read: @escaping (FeedClient, _ id: String, Show) async throws -> Void
    ) async throws {
        try await ErrorReporter.run {
            if name == nil { try global.login() }
            let isEmpty = try await AccountListPrinter.show(isJSON: json, line: AccountLine.text) { show in
                try await global.use { client in
                    let account =
                        if let name { try await client.account(named: name) } else {
                            try await client.verifyCredentials()
                        }
                    var rest = limit ?? .max
                    try await read(client, account.id) { page in
                        let shown = page.prefix(rest)
                        rest -= shown.count
                        return try await show(Array(shown)) && rest > 0
                    }
                }
            }
            if isEmpty, !json { StandardError.line(nobody) }
        }
    }
}
