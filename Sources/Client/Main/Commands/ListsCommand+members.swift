import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

extension ListsCommand {
    /// A list and the accounts to add or to remove.
    struct MemberOptions: ParsableArguments {
        @OptionGroup var options: ListOptions
        @Argument(help: .init("The user names, such as @ada.", valueName: "@name")) var names: [String]
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add accounts that you follow to a list.")

        @OptionGroup var members: MemberOptions

        func run() async throws {
            try await members.change("added to") { client, ids, list in
                do {
                    try await client.add(ids, toList: list)
                } catch let error as FeedClientError where error.code == .notFound {
                    throw FeedClientError(
                        .notFound, "The list can contain only accounts that you follow",
                        hint: "Follow them first: feedclient follow @name.", cause: error, status: error.status)
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove accounts from a list.")

        @OptionGroup var members: MemberOptions

        func run() async throws {
            try await members.change("removed from") { try await $0.remove($1, fromList: $2) }
        }
    }
}

extension ListsCommand.MemberOptions {
    /// Changes the members of the list and prints a line.
    /// - Parameters:
    ///   - done: What has happened to the accounts.
    ///   - change: Takes the ids of the accounts and of the list.
    fileprivate func change(
        _ done: String, _ change: @escaping @Sendable (FeedClient, [String], String) async throws -> Void
    ) async throws {
        try await ErrorReporter.run {
            try options.global.login()
            let (list, accounts) = try await options.global.use { client in
                let list = try await client.list(named: options.list)
                var accounts: [Entity.Account] = []
                for name in names { accounts.append(try await client.account(named: name)) }
                try await change(client, accounts.map(\.id), list.id)
                return (list, accounts)
            }
            let text = accounts.map { "@" + SafeText.line($0.acct) }.joined(separator: ", ")
            print("\(text) \(done) \(SafeText.line(list.title))")
        }
    }
}
