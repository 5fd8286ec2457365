import FeedCore
import FeedStore
import Foundation
import Synchronization
import TestKit
package import Testing

/// The PostgreSQL server of a test run, started by `scripts/with-postgres`. If it is available, every ``TestStore``
/// uses its own database there, copied from a template.
package enum PostgresTests {
    package static let server = ProcessInfo.processInfo.environment["FEED_TEST_POSTGRES"]
    package static var isEnabled: Bool { server != nil }

    private static let template = Mutex(false)

    /// The address of another database of the server.
    package static func address(_ database: String) -> String {
        // On a busy machine, it may take longer to accept a connection than the server waits by default.
        (server ?? "").replacing("/postgres?", with: "/\(database)?") + "&connect_timeout=\(Wait.seconds)"
    }

    /// Opens the database for a folder; the same folder always gets the same database.
    static func open(folder: TemporaryFolder, clock: WallClock, version: String) throws -> FeedDatabase {
        let name = "feed_" + (folder.path.split(separator: "-").suffix(5).joined(separator: "_")).lowercased()
        try makeTemplate()
        if try create(name, template: "feed_template"), isInMemory { folder.onDeletion { drop(name) } }
        return try FeedDatabase(postgres: PostgresAddress(address(name)), clock: clock, version: version)
    }

    /// Lets `feedserver` use a database of the test server instead of the SQLite file in its data folder.
    static func environment(for arguments: [String]) throws -> [String: String] {
        guard isEnabled, !arguments.contains("--database"), let option = arguments.firstIndex(of: "--data"),
            option + 1 < arguments.count
        else { return [:] }
        let name =
            "feed_"
            + arguments[option + 1].unicodeScalars.map {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) ? String($0) : "_"
            }
            .joined().lowercased().suffix(50)
        try create(name)
        return ["FEEDSERVER_DATABASE": address(name)]
    }

    private static func makeTemplate() throws {
        try template.withLock { isMade in
            guard !isMade else { return }
            try create("feed_template")
            let url = try PostgresAddress(address("feed_template"))
            try FeedDatabase(postgres: url, clock: WallClock { 0 }, version: "template").close()
            isMade = true
        }
    }

    /// Creates a database unless it exists.
    /// - Returns: Whether it was created.
    @discardableResult
    private static func create(_ name: String, template: String = "template1") throws -> Bool {
        var isNew = false
        // PostgreSQL does not copy a template that is in use, and a connection ends a moment after it has been closed.
        try Wait.block(until: "there is a database \(name)") {
            let strategy = try knowsStrategies.get() ? ["--strategy", "file_copy"] : []
            let (status, text) = try run("createdb", onServer + strategy + ["--template", template, name])
            isNew = status == 0
            return isNew || text.contains("already exists")
        }
        return isNew
    }

    /// PostgreSQL 15 and newer write the pages of a copy to the log by default, which takes more than twice the time.
    private static let knowsStrategies: Result<Bool, any Error> = Result {
        try run("createdb", ["--help"]).text.contains("--strategy")
    }

    private static var onServer: [String] { ["--maintenance-db", address("postgres")] }
    private static let deletions = DispatchQueue(label: "deletions of databases")

    /// Whether all databases together would need too much memory. On a disk, deleting files would make it slower to create
    /// others.
    private static var isInMemory: Bool { server?.contains("host=/dev/shm/") == true }

    /// Deletes a database later, unless it is still in use.
    private static func drop(_ name: String) { deletions.async { _ = try? run("dropdb", onServer + [name]) } }

    /// Runs a command of PostgreSQL.
    /// - Returns: Its exit code and what it prints.
    private static func run(_ command: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let (process, output) = (ChildProcess(), Pipe())
        process.executableURL = URL(filePath: try Tool.find(command))
        process.arguments = arguments
        process.standardOutput = output.fileHandleForWriting
        process.standardError = output.fileHandleForWriting
        try process.run()
        try output.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

extension Trait where Self == ConditionTrait {
    /// For features of SQLite only: its file, its migrations, its step counter.
    package static var onSQLite: Self { .disabled(if: PostgresTests.isEnabled, "only for SQLite") }
}
