import ArgumentParser
import FeedAPI

/// The `feedserver` command: the server and its administration.
@main
struct Feedserver: AsyncParsableCommand {
    static let version = FeedVersion.current

    static let configuration = CommandConfiguration(
        commandName: "feedserver",
        abstract: "A small microblog server: one binary, one folder.",
        discussion: """
            --data and all options of serve can also be set by environment variables, for example --base-url by \
            FEEDSERVER_BASE_URL, and in a JSON file that FEEDSERVER_CONFIG or serve --config names. Options take \
            precedence over the environment, which takes precedence over the file.

            Exit codes: 0 success, 1 failure, 64 usage error.
            """,
        version: version,
        subcommands: [
            Serve.self, AccountCommand.self, InviteCommand.self, StatusCommand.self, ReportCommand.self,
            TokenCommand.self, Import.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self,
            CheckCommand.self, VacuumCommand.self, GarbageCollectCommand.self, StatsCommand.self, DoctorCommand.self,
            ProcessMedia.self,
        ])
}
