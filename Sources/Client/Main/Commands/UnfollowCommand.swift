import ArgumentParser

/// Unfollows an account.
struct UnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unfollow", abstract: "Unfollow an account.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The user name, such as @ada.", valueName: "@name")) var name: String

    func run() async throws { try await FollowCommand.change(global, name, follows: false) }
}
