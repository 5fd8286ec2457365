import FeedAPI
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedClientKit

/// Any number in the client's own files: none may cause a failure that recurs with every use.
@Suite(.hangLimit)
struct StoredEdgeTests {
    private static let numbers = EdgeNumbers.texts.compactMap { Int64($0) }
    private static let seeds = UInt8(1)...3

    /// Changes a database without the client.
    private static func change(_ path: String, _ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in try db.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    // MARK: Pictures

    private static func open(_ fixture: AvatarFixture) throws -> AvatarCache {
        try fixture.open { $0.diskBytes = 2000 }
    }

    /// Requests all pictures, and checks their content and the size of the cache.
    private static func checkPictures(_ fixture: AvatarFixture) async throws {
        let cache = try open(fixture)
        for seed in seeds {
            let image = try await cache.image(at: fixture.url("/\(seed)"))
            #expect(image.bytes == PictureServer.picture(seed))
        }
        let bytes = await cache.stats().bytes
        #expect((0...2000).contains(bytes))
        await cache.close()
    }

    @Test(arguments: ["size", "fresh_until", "last_used"])
    func anyNumberInTheIndexIsTolerated(_ column: String) async throws {
        try await AvatarFixture.run { fixture in
            for seed in Self.seeds { fixture.server.put("/\(seed)", PictureServer.picture(seed)) }
            for text in EdgeNumbers.texts {
                try await Self.checkPictures(fixture)
                try Self.change(
                    fixture.folder.index, "UPDATE avatar SET \(column) = CAST(? AS INTEGER)", [text])
                try await Self.checkPictures(fixture)
            }
        }
    }

    /// The sizes add up to slightly more than the limit; that of the least recently used picture is negative.
    @Test func impossibleSizesAreNotAdded() async throws {
        try await AvatarFixture.run { fixture in
            for seed in Self.seeds { fixture.server.put("/\(seed)", PictureServer.picture(seed)) }
            try await Self.checkPictures(fixture)
            // SQLite adds the sizes in this order, and fails if the sum overflows.
            let names = Self.seeds.map { AvatarFiles.name(of: PictureServer.picture($0)) }.sorted()
            for (index, size) in [Int64.min, Int64.max, 5000].enumerated() {
                try Self.change(
                    fixture.folder.index, "UPDATE avatar SET size = ?, last_used = ? WHERE hash = ?",
                    [size, index, names[index]])
            }
            try await Self.checkPictures(fixture)
        }
    }

    /// Another process may write anything while the index is open.
    @Test func evictionToleratesAnySizes() throws {
        let files = AvatarFiles(folder: NSTemporaryDirectory() + "/none-" + UUID().uuidString)
        try DatabaseQueue().inDatabase { db in
            let index = AvatarIndex(db: db, files: files)
            try index.prepare(limit: 1000, usedSince: 0)
            for first in Self.numbers {
                for second in Self.numbers {
                    try db.execute(sql: "DELETE FROM avatar")
                    try Self.insert("a", size: first, db)
                    try Self.insert("b", size: second, db)
                    // SQLite itself fails if the sum overflows.
                    try? index.makeRoom(for: "c", size: 300, limit: 1000)
                }
            }
        }
    }

    private static func insert(_ name: String, size: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO avatar (url, hash, type, fresh_until, size, last_used)
                VALUES (?, ?, 'image/png', 0, ?, 0)
                """, arguments: [name, name, size])
    }

    // MARK: Timelines

    @Test(arguments: EdgeNumbers.texts)
    func timelineTimeCanBeDisplayed(_ text: String) async throws {
        let fixture = try StoreFixture()
        try await fixture.open().save(try StoreFixture.segment([1]), of: .public, now: 1)
        try Self.change(fixture.path, "UPDATE timeline SET synced_at = CAST(? AS INTEGER)", [text])
        if let found = try await fixture.open().statuses(of: .public, count: 1) {
            #expect(ISO8601.text(milliseconds: found.syncedAt).count == "1970-01-01T00:00:00.001Z".count)
        } else {
            // SQLite reads a number outside `Int64` as one of its bounds, or as its leading digits.
            #expect(!(0...253_402_300_799_999).contains(Int64(text) ?? -1))
        }
    }

    @Test(arguments: [
        "status SET fetched_at", "entry SET has_gap", "timeline SET revision", "owner SET position_time",
        "read_position SET is_sent",
    ])
    func anyNumberInTheStoreIsTolerated(_ column: String) async throws {
        for text in EdgeNumbers.texts {
            let fixture = try StoreFixture()
            let store = try fixture.open()
            try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
            try await store.apply([], .init(position: "e-1", time: 1))
            _ = try await store.moveReadPosition(.home, to: "1")
            try Self.change(fixture.path, "UPDATE \(column) = CAST(? AS INTEGER)", [text])
            _ = try await store.contents()
            _ = try await store.changeState()
            _ = try await store.moveReadPosition(.home, to: "2")
            try await store.save(try StoreFixture.segment([4, 3]), of: .public, now: 2)
            #expect(try await store.contents() == ["4", "3"], "\(column) \(text)")
        }
    }

    // MARK: Logins

    @Test(arguments: EdgeNumbers.texts)
    func numberInsteadOfAServerIsRejected(_ text: String) throws {
        let folder = try TemporaryFolder()
        let login = #"{"server":\#(text),"username":"ada","credential":{"token":{"_0":"x"}}}"#
        _ = try folder.file("credentials.json", #"{"logins":[\#(login)]}"#)
        let error = #expect(throws: FeedClientError.self) { try CredentialStore(folder: folder.path).logins() }
        #expect(error?.code == .disk)
    }
}
