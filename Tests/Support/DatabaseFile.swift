import GRDB
import TestKit

/// The SQLite file of a data folder that a program may be using. An instance only reads it, so closing it changes no file
/// either.
package final class DatabaseFile: Sendable {
    private let queue: DatabaseQueue

    package init(data: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(Wait.seconds))
        queue = try DatabaseQueue(path: data + "/feed.sqlite", configuration: configuration)
    }

    /// The first value of a query; 0 for NULL.
    package func number(_ sql: String) throws -> Int { try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

    /// Runs a statement as another program would, even while a server uses the file.
    package static func execute(_ sql: String, data: String) throws {
        try execute(sql, file: data + "/feed.sqlite")
    }

    /// Runs a statement in any SQLite file, as another program would.
    package static func execute(_ sql: String, file path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(Wait.seconds))
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
