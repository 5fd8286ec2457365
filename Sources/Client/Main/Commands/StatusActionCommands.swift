import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// The status of `favourite`, `boost`, `bookmark` and `pin`.
struct StatusActionOptions: ParsableArguments {
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

    @OptionGroup var options: StatusActionOptions

    func run() async throws { try await options.perform(.favourite, "favourited", "removed the favourite from") }
}

/// Boosts a status.
struct BoostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boost", abstract: "Boost a status: show it to your followers.",
        discussion: """
              feedclient boost 3
            """)

    @OptionGroup var options: StatusActionOptions

    func run() async throws { try await options.perform(.boost, "boosted", "removed the boost of") }
}

/// Bookmarks a status.
struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Bookmark a status, which only you can see.",
        discussion: """
              feedclient bookmark 3
            """)

    @OptionGroup var options: StatusActionOptions

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

    @OptionGroup var options: StatusActionOptions

    func run() async throws { try await options.perform(.pin, "pinned", "unpinned") }
}
