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
        try create(name, template: "feed_template")
        return try FeedDatabase(postgres: PostgresURL(address(name)), clock: clock, version: version)
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
            let url = try PostgresURL(address("feed_template"))
            try FeedDatabase(postgres: url, clock: WallClock { 0 }, version: "template").close()
            isMade = true
        }
    }

    /// Creates a database unless it exists.
    private static func create(_ name: String, template: String = "template1") throws {
        // PostgreSQL does not copy a template that is in use, and a connection ends a moment after it has been closed.
        try Wait.block(until: "there is a database \(name)") {
            let (process, errors) = (ChildProcess(), Pipe())
            process.executableURL = URL(filePath: try Tool.find("createdb"))
            process.arguments = ["--maintenance-db", address("postgres"), "--template", template, name]
            process.standardError = errors.fileHandleForWriting
            try process.run()
            try errors.fileHandleForWriting.close()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return process.terminationStatus == 0 || text.contains("already exists")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// For features of SQLite only: its file, its migrations, its step counter.
    package static var onSQLite: Self { .disabled(if: PostgresTests.isEnabled, "only for SQLite") }
}
