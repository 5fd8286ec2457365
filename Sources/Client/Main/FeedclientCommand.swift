import ArgumentParser
import Dispatch
import FeedAPI
import FeedTerminal
import Foundation

@main
enum Program {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        // On this thread alone: a thread that is started while the process restricts itself would crash it.
        if arguments.first == PictureHelper.command { PictureHelper.run(arguments.dropFirst()) }
        // Before a task or a queue opens a descriptor.
        guard StandardOutputCheck.isOpen() else { exit(ExitCode.disk.rawValue) }
        // As an asynchronous `main` does.
        Task {
            await FeedclientCommand.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// The command-line client.
struct FeedclientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedclient",
        abstract: "Read and post on a feed server, and transfer files to and from it.",
        discussion: """
            Public content needs no login: choose the server with --server or FEEDCLIENT_SERVER.
            --server, --as, --cacert and -v may also precede the command.

            Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 not logged in or refused, 5 network,
            6 partly done, 7 integrity, 8 local disk, 75 try later, 130 interrupted.

              feedclient login https://feed.example
              feedclient timeline
              feedclient reply 3 "Well said"
            """,
        version: "feedclient " + FeedVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Reading",
                subcommands: [
                    TuiCommand.self, TimelineCommand.self, ShowCommand.self, SearchCommand.self,
                    NotificationsCommand.self,
                    ConversationsCommand.self, OpenCommand.self, SyncCommand.self,
                ]),
            CommandGroup(
                name: "Posting",
                subcommands: [
                    PostCommand.self, ReplyCommand.self, EditCommand.self, DeleteCommand.self, ScheduleCommand.self,
                    OutboxCommand.self, DraftsCommand.self,
                ]),
            CommandGroup(
                name: "Reacting",
                subcommands: [
                    FavouriteCommand.self, BoostCommand.self, BookmarkCommand.self, PinCommand.self, PollCommand.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    UserCommand.self, FollowersCommand.self, FollowingCommand.self, FollowCommand.self,
                    UnfollowCommand.self, BlockCommand.self, UnblockCommand.self, MuteCommand.self,
                    UnmuteCommand.self, MutedCommand.self, BlockedCommand.self, ReportCommand.self,
                    RequestsCommand.self, ListsCommand.self, TagsCommand.self,
                    ProfileCommand.self,
                ]),
            CommandGroup(
                name: "Files", subcommands: [UploadCommand.self, DownloadCommand.self, FilesCommand.self]),
            CommandGroup(
                name: "Logins",
                subcommands: [
                    LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, AccountsCommand.self, UseCommand.self,
                    PasswordCommand.self, LoginsCommand.self, InstanceCommand.self, PingCommand.self,
                ]),
            CommandGroup(name: "This machine", subcommands: [CacheCommand.self]),
        ])

    /// Exits with code 2 after a usage error, instead of ArgumentParser's 64.
    static func main() async {
        let given = Array(CommandLine.arguments.dropFirst())
        let standard = RawTerminal.isPossible ? TuiCommand.name : nil
        let arguments = ShortOptionValue.separated(GlobalOptionOrder.sorted(given, standard: standard))
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try StandardOutputCheck.after()
        } catch {
            end(with: error, arguments)
        }
    }

    private static func end(with error: any Error, _ arguments: [String]) -> Never {
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let isDashed = LeadingDash.isLikely(arguments)
        // ArgumentParser prints the help of the program for an unknown command, too.
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        if let unknown = CommandSuggestion(words) {
            StandardError.report(unknown.message, hint: unknown.hint)
        } else if exitCode(for: error) == .success {
            guard isDashed else { exit(withError: error) }
            StandardError.report(
                "The text starts with a dash, so it was parsed as options", hint: LeadingDash.hint(arguments))
        } else {
            StandardError.usageError(fullMessage(for: error))
            if isDashed { StandardError.line("hint: " + LeadingDash.hint(arguments)) }
        }
        Foundation.exit(ExitCode.usage.rawValue)
    }
}

extension CommandSuggestion {
    /// Words of other programs, and of the Mastodon API.
    private static let synonyms = [
        "like": "favourite", "fav": "favourite", "star": "favourite", "reblog": "boost", "toot": "post",
        "tweet": "post", "publish": "post", "thread": "show", "status": "show", "whois": "user", "account": "user",
        "home": "timeline", "feed": "timeline", "rm": "delete", "remove": "delete", "signin": "login",
        "signout": "logout", "switch": "use", "unlike": "favourite --undo", "unfavourite": "favourite --undo",
        "unfavorite": "favourite --undo", "unboost": "boost --undo", "unreblog": "boost --undo",
        "unbookmark": "bookmark --undo", "unpin": "pin --undo", "dm": "conversations", "messages": "conversations",
        "browse": "open", "passwd": "password", "sessions": "logins", "server": "instance",
    ]

    /// - Parameter arguments: The arguments of the program, as ``GlobalOptionOrder`` sorts them.
    init?(_ arguments: [String]) { self.init(arguments, in: .root, synonyms: Self.synonyms) }
}

extension CommandNode {
    /// All commands.
    static var root: CommandNode { CommandNode(FeedclientCommand.self) }
}
