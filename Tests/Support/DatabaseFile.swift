import FeedCore
import FeedStore
import Foundation
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

extension DatabaseFile {
    /// The file of a new feed, without what every feed has of its own. A copy opens in half the time that the migrations
    /// take.
    private static let template: Result<Data, any Error> = Result {
        let folder = try TemporaryFolder()
        try FeedDatabase(folder: folder.path, clock: WallClock { 0 }, version: "template").close()
        try execute(
            "DELETE FROM meta WHERE key IN ('version', 'epoch', 'form_key', 'feed_id')", data: folder.path)
        return try withExtendedLifetime(folder) {
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/feed.sqlite"))
        }
    }

    static func copyTemplate(to data: String) throws {
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try template.get().write(to: URL(fileURLWithPath: data + "/feed.sqlite"))
    }
}
