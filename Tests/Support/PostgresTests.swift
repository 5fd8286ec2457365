import FeedCore
import Foundation
import Synchronization
package import Testing

@testable import FeedStore

/// The PostgreSQL server of a test run, started by `scripts/with-postgres`. If it is available, every ``TestStore``
/// uses its own database there, copied from a template.
package enum PostgresTests {
    package static let server = ProcessInfo.processInfo.environment["FEED_TEST_POSTGRES"]
    package static var isOn: Bool { server != nil }

    private static let template = Mutex(false)

    /// The address of another database of the server.
    package static func address(_ database: String) -> String {
        (server ?? "").replacing("/postgres?", with: "/\(database)?")
    }

    /// Opens the database for a folder; the same folder always gets the same database.
    static func open(folder: TemporaryFolder, clock: WallClock, version: String) throws -> FeedDatabase {
        let name = "feed_" + (folder.path.split(separator: "-").suffix(5).joined(separator: "_")).lowercased()
        try makeTemplate()
        do {
            try admin("CREATE DATABASE \(name) TEMPLATE feed_template")
        } catch let error as PostgresError where error.state == "42P04" {}
        return try FeedDatabase(postgres: PostgresURL(address(name)), clock: clock, version: version)
    }

    /// Lets `feedserver` use a database of the test server instead of the SQLite file in its data folder.
    static func environment(for arguments: [String]) throws -> [String: String] {
        guard isOn, !arguments.contains("--database"), let option = arguments.firstIndex(of: "--data"),
            option + 1 < arguments.count
        else { return [:] }
        let name =
            "feed_"
            + arguments[option + 1].unicodeScalars.map {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) ? String($0) : "_"
            }
            .joined().lowercased().suffix(50)
        do {
            try admin("CREATE DATABASE \(name)")
        } catch let error as PostgresError where error.state == "42P04" {}
        return ["FEEDSERVER_DATABASE": address(name)]
    }

    private static func makeTemplate() throws {
        try template.withLock { isMade in
            guard !isMade else { return }
            do {
                try admin("CREATE DATABASE feed_template")
            } catch let error as PostgresError where error.state == "42P04" {}
            let connection = try connection("feed_template")
            _ = try PostgresSchema.migrate(connection)
            isMade = true
        }
    }

    private static func admin(_ sql: String) throws { try connection("postgres").execute(sql) }

    private static func connection(_ database: String) throws -> PostgresConnection {
        try PostgresConnection(LibPQ.load(), url: address(database), dialect: PostgresDialect())
    }
}

extension Trait where Self == ConditionTrait {
    /// For features of SQLite only: its file, its migrations, its step counter.
    package static var onSQLite: Self { .disabled(if: PostgresTests.isOn, "only for SQLite") }
}
