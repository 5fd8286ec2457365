import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows and changes the followed hashtags.
struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "Follow hashtags: their public statuses appear in the home timeline.",
        discussion: """
              feedclient tags follow sailing
              feedclient tags
            """,
        subcommands: [Follow.self, Unfollow.self, All.self], defaultSubcommand: All.self)

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the hashtags you follow.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print one Tag entity per line, as JSON.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                let tags = try await global.use { try await $0.followedTags() }
                if json { return try EntityJSON.print(tags) }
                if tags.isEmpty { StandardError.line("no hashtags yet") }
                ScreenOutput().show(tags.map { "#" + SafeText.line($0.name) })
            }
        }
    }

    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Follow a hashtag.")

        @OptionGroup var options: TagOptions

        func run() async throws { try await options.change(follows: true) }
    }

    struct Unfollow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unfollow a hashtag.")

        @OptionGroup var options: TagOptions

        func run() async throws { try await options.change(follows: false) }
    }

    struct TagOptions: ParsableArguments {
        @OptionGroup var global: GlobalOptions
        @Argument(help: .init("The hashtag, such as swift or '#swift'.", valueName: "tag"), completion: Completions.tag)
        var tag: String

        /// Follows or unfollows the hashtag and prints the result.
        fileprivate func change(follows: Bool) async throws {
            try await ErrorReporter.run {
                try global.login()
                let action = OutboxAction.followTag(tag, undo: !follows)
                let sent = try await OutboxSubmission(global: global).perform(OutboxPost(action))
                print(ActionResultRenderer.text(sent, action))
            }
        }
    }
}
