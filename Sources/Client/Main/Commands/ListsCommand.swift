import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows and changes lists of accounts.
struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists", abstract: "Show and change your lists of accounts.",
        discussion: """
            LIST is the title of a list or its id. To read a list: feedclient timeline list:LIST.

              feedclient lists create Sailors
              feedclient lists add Sailors @ada @bob
              feedclient timeline list:Sailors
            """,
        subcommands: [Show.self, All.self, Create.self, Delete.self, Add.self, Remove.self],
        defaultSubcommand: All.self)

    /// The list on the command line, and the login.
    struct ListOptions: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The title of the list, or its id.", valueName: "list"), completion: Completions.list)
        var list: String
    }

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all your lists.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var stored: OfflineOptions
        @Flag(help: "Print one List entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let lists = try await stored.use(global) { try await $0.lists() }
                if json { return try EntityJSON.print(lists) }
                if lists.isEmpty { StandardError.line("no lists yet") }
                ScreenOutput().show(lists.map(\.line))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the members of a list.")

        @OptionGroup var options: ListOptions
        @OptionGroup var stored: OfflineOptions
        @Flag(help: "Print one Account entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try options.global.login()
                let isEmpty = try await AccountListPrinter.show(isJSON: json, line: { "@" + SafeText.line($0.acct) }) {
                    show in
                    try await stored.use(options.global) { client in
                        let list = try await client.list(named: options.list)
                        try await client.readMembers(ofList: list.id, onPage: show)
                    }
                }
                if isEmpty, !json { StandardError.line("no members yet") }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a list.")

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The title of the list.") var title: String
        @Option(help: "Which replies the list shows: none, list (to members) or followed (to those you follow).")
        var replies: RepliesOption?
        @Flag(help: "Leave the members out of the home timeline.") var exclusive = false
        @Flag(help: "Print the List entity as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                let change = ListChange.create(title: title, repliesPolicy: replies?.rawValue, exclusive: exclusive)
                let sent = try await change.perform(global)
                print(
                    json
                        ? ActionResultRenderer.json(sent) : ActionResultRenderer.text(sent, .changeList(change))
                )
                await warnOfAnother()
            }
        }

        /// Servers create another list of the same title, which is rarely meant.
        private func warnOfAnother() async {
            let lists = (try? await global.use { try await $0.lists() }) ?? []
            guard lists.count(where: { $0.title == title }) > 1 else { return }
            StandardError.line(
                "warning: you have several lists called \"\(SafeText.line(title))\"; their ids tell them apart")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a list.")

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await ErrorReporter.run {
                try await ListChange.delete(options.list).performAndPrint(options.global)
            }
        }
    }
}

/// The replies that a list shows.
enum RepliesOption: String, ExpressibleByArgument, CaseIterable { case none, list, followed }

extension Entity.List {
    /// The list in one line of text.
    var line: String {
        id + " " + SafeText.line(title) + (exclusive == true ? " (exclusive)" : "")
    }
}

extension ListsCommand {
    /// A list and the accounts to add or to remove.
    struct MemberOptions: ParsableArguments {
        @OptionGroup var options: ListOptions
        @Argument(help: .init("The usernames, such as @ada.", valueName: "@name"), completion: Completions.account)
        var names: [String]
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add accounts that you follow to a list.")

        @OptionGroup var members: MemberOptions

        func run() async throws {
            try await ErrorReporter.run {
                let change = ListChange.add(members.names, to: members.options.list)
                try await change.performAndPrint(members.options.global)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove accounts from a list.")

        @OptionGroup var members: MemberOptions

        func run() async throws {
            try await ErrorReporter.run {
                let change = ListChange.remove(members.names, from: members.options.list)
                try await change.performAndPrint(members.options.global)
            }
        }
    }
}

extension ListChange {
    /// Stores the change in the outbox, and performs it.
    fileprivate func perform(_ global: GlobalOptions) async throws -> ActionResult {
        try await OutboxSubmission(global: global).perform(OutboxPost(.changeList(self)))
    }

    fileprivate func performAndPrint(_ global: GlobalOptions) async throws {
        print(ActionResultRenderer.text(try await perform(global), .changeList(self)))
    }
}
