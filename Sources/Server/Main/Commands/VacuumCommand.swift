import ArgumentParser
import FeedStore
import FeedTerminal
import Foundation

/// `feedserver vacuum`.
struct VacuumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum", abstract: "Return unused space of the database to the disk.",
        discussion: """
            With SQLite, stop the server first, because nothing can be stored meanwhile; twice the size of the database \
            must be free on its disk. With PostgreSQL, which uses the space for new data instead, the servers may run.
            """)

    @OptionGroup var data: DataOptions

    func run() async throws {
        // SQLite reads it when it is first used. The default is /var/tmp, which may be small.
        setenv("SQLITE_TMPDIR", data.folder, 1)
        try await Failure.reported {
            print(try await data.use { database in try await Self.run(on: database) })
        }
    }

    private static func run(on database: FeedDatabase) async throws -> String {
        let before = try await database.bytes()
        try await database.vacuum()
        guard !database.isShared else { return "PostgreSQL can use the space of deleted rows again" }
        let after = try await database.bytes()
        return "the database had \(ByteSize.text(before)), now it has \(ByteSize.text(after))"
    }
}
