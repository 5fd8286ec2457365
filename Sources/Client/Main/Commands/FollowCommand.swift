import ArgumentParser
import FeedAPI
import FeedClientKit

/// The account that a command is about.
struct AccountOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The user name, such as @ada.", valueName: "@name")) var name: String
    @Flag(help: "Print the Relationship entity as JSON.") var json = false
}

/// Follows an account.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow an account.",
        discussion: """
            An account that approves its followers is asked first.

              feedclient follow @ada
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws {
        let text = { (relationship: Entity.Relationship) in
            relationship.requested && !relationship.following ? "asked to follow" : "following"
        }
        try await options.global.relate(to: options.name, "follow", json: options.json, text) {
            try await $0.follow($1)
        }
    }
}
