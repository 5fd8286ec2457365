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
        @Argument(help: .init("The title of the list, or its id.", valueName: "list")) var list: String
    }

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all your lists.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one List entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let lists = try await global.use { try await $0.lists() }
                if json { return try EntityJSON.print(lists) }
                if lists.isEmpty { StandardError.line("no lists yet") }
                ScreenOutput().show(lists.map(\.line))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the members of a list.")

        @OptionGroup var options: ListOptions
        @Flag(help: "Print one Account entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try options.global.login()
                let isEmpty = try await AccountOutput.show(isJSON: json, line: { "@" + SafeText.line($0.acct) }) {
                    show in
                    try await options.global.use { client in
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
                try global.login()
                let list = try await global.use {
                    try await $0.createList(title, repliesPolicy: replies?.rawValue, exclusive: exclusive)
                }
                print(try json ? EntityJSON.line(list) : list.line)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a list.")

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await ErrorReporter.run {
                try options.global.login()
                let list = try await options.global.use { client in
                    let list = try await client.list(named: options.list)
                    try await client.deleteList(list.id)
                    return list
                }
                print("deleted " + SafeText.line(list.title))
            }
        }
    }
}

/// The replies that a list shows.
enum RepliesOption: String, ExpressibleByArgument, CaseIterable { case none, list, followed }

extension Entity.List {
    /// The list in one line of text.
    fileprivate var line: String {
        id + " " + SafeText.line(title) + (exclusive == true ? " (exclusive)" : "")
    }
}
