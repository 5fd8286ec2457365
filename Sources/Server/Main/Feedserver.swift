import ArgumentParser

/// The `feedserver` command: the server and its administration.
@main
struct Feedserver: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "feedserver",
        abstract: "A small microblog server: one binary, one folder.",
        discussion: """
            --data and all options of serve can also be set by environment variables, for example --base-url by \
            FEEDSERVER_BASE_URL. Options take precedence over the environment.

            Exit codes: 0 success, 1 failure, 64 usage error.
            """,
        version: version,
        subcommands: [
            Serve.self, AccountCommand.self, StatusCommand.self, TokenCommand.self, Import.self, CopyCommand.self,
            BackupCommand.self, RestoreCommand.self, CheckCommand.self, VacuumCommand.self, GarbageCollectCommand.self,
        ])
}
