import FeedStore
package import TestKit

/// A feed with a large database.
package enum LargeFeed {
    /// Creates a feed in the folder `data` of `folder` whose SQLite file has at least `bytes` bytes.
    package static func make(in folder: TemporaryFolder, bytes: Int) async throws {
        let database = try FeedDatabase(folder: folder.path + "/data", clock: TestClock().clock, version: "test")
        let row = 1 << 20
        for number in 0...bytes / row {
            try await database.commits.write { db in
                try db.execute(
                    """
                    INSERT INTO application (client_id, secret_hash, name, website, redirect_uris, scopes,
                    created_at, granted)
                    VALUES (\("large \(number)"), X'00', 'large', \(String(repeating: "x", count: row)), '', '', 0,
                    1)
                    """)
            }
        }
        try database.close()
    }
}
