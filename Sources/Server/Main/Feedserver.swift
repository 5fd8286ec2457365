import ArgumentParser

/// The server and what an operator does with its folder.
@main
struct Feedserver: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "feedserver",
        abstract: "A small microblog server: one binary, one folder.",
        discussion: """
            --data and every option of serve can also be given by an environment variable: --base-url is \
            FEEDSERVER_BASE_URL. Options win over the environment.

            Exit codes: 0 done, 1 failed, 64 wrong usage.
            """,
        version: version,
        subcommands: [Serve.self, AccountCommand.self, TokenCommand.self, Import.self, GarbageCollectCommand.self])
}
