import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// The status of `favourite`, `boost`, `bookmark` and `pin`.
struct ReactionOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
    @Flag(help: "Undo it.") var undo = false
    @Flag(help: "Print the Status entity as JSON.") var json = false

    /// Performs the action and prints the result.
    /// - Parameters:
    ///   - done: What has been done, before the id of the status.
    ///   - undone: The same for `--undo`.
    fileprivate func perform(_ action: StatusAction, _ done: String, _ undone: String) async throws {
        try await ErrorReporter.run {
            try global.login()
            let id = try await global.statusID(id)
            let post = OutboxPost(.react(action, id: id, undo: undo))
            let sent = try await OutboxSubmission(global: global).perform(post)
            print(json ? ActionResultRenderer.json(sent) : "\(undo ? undone : done) \(SafeText.line(id))")
        }
    }
}

/// Favourites a status.
struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Mark a status as a favourite.",
        discussion: """
              feedclient favourite 3
              feedclient favourite 3 --undo
            """, aliases: ["favorite"])

    @OptionGroup var options: ReactionOptions

    func run() async throws { try await options.perform(.favourite, "favourited", "removed the favourite from") }
}

/// Boosts a status.
struct BoostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boost", abstract: "Boost a status: show it to your followers.",
        discussion: """
              feedclient boost 3
            """)

    @OptionGroup var options: ReactionOptions

    func run() async throws { try await options.perform(.boost, "boosted", "removed the boost of") }
}

/// Bookmarks a status.
struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Bookmark a status, which only you can see.",
        discussion: """
              feedclient bookmark 3
            """)

    @OptionGroup var options: ReactionOptions

    func run() async throws { try await options.perform(.bookmark, "bookmarked", "removed the bookmark from") }
}

/// Pins a status.
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin one of your statuses to the top of your profile.",
        discussion: """
              feedclient pin 3
              feedclient pin 3 --undo
            """)

    @OptionGroup var options: ReactionOptions

    func run() async throws { try await options.perform(.pin, "pinned", "unpinned") }
}

/// Votes in polls, as `toot polls vote` does.
struct PollCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll", abstract: "Vote in polls.",
        discussion: """
              feedclient poll vote 3 1
            """, subcommands: [Vote.self])

    /// Votes in the poll of a status, and shows the result.
    struct Vote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vote", abstract: "Vote in the poll of a status.",
            discussion: """
                N is the number of an option, counted from 1, as feedclient show prints it. A vote cannot be taken back. \
                While the server is away, it waits in the outbox.
                """)

        @OptionGroup var global: GlobalOptions
        @Argument(help: StatusHelp.text, completion: Completions.status) var id: String
        @Argument(help: .init("The number of an option to choose, from 1.", valueName: "n")) var numbers: [Int]
        @Flag(name: .customLong("json"), help: "Print the Poll entity as JSON.") var printsJSON = false

        func validate() throws {
            guard numbers.allSatisfy({ (1...100).contains($0) }) else {
                throw ValidationError("The options of a poll have numbers from 1.")
            }
        }

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let id = try await global.statusID(id)
                let post = OutboxPost(.vote(numbers.map { $0 - 1 }, inPollOf: id))
                let sent = try await OutboxSubmission(global: global).perform(post)
                if printsJSON { return print(ActionResultRenderer.json(sent)) }
                guard case .voted(let poll, _) = sent else { return }
                for line in PollRenderer.forScreen().lines(poll) { print(line) }
            }
        }
    }
}
