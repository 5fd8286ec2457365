import FeedTestSupport
import Foundation
import GRDB
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// The file of stored timelines.
@Suite(.hangLimit)
struct OfflineStoreTests {
    @Test(
        arguments: [
            (.SQLITE_FULL, "Free some space"), (.SQLITE_IOERR_WRITE, "Free some space"),
            (.SQLITE_CANTOPEN, "Check who owns"), (.SQLITE_READONLY, "Check who owns"),
        ] as [(ResultCode, String)])
    func hintMatchesTheCause(code: ResultCode, hint: String) {
        let error = OfflineDatabase.failure("open", "/x", DatabaseError(resultCode: code))
        #expect(error.code == .disk && error.hint?.hasPrefix(hint) == true)
    }

    @Test func impossibleFolderIsADiskError() {
        let error = #expect(throws: FeedClientError.self) { try OfflineStore(folder: "/dev/null/x", owner: "ada") }
        #expect(error?.code == .disk)
    }

    @Test func fileIsPrivate() async throws {
        let fixture = try StoreFixture()
        try await fixture.open().save(try StoreFixture.segment([1]), of: .public, now: 1)
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    // MARK: Damage

    @Test(arguments: [true, false]) func damagedFileIsReplaced(isOpen: Bool) async throws {
        let fixture = try StoreFixture()
        var store = try fixture.open()
        try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try Data(repeating: 0x41, count: 50_000).write(to: URL(fileURLWithPath: fixture.path))
        if !isOpen { store = try fixture.open() }
        #expect(try await store.contents() == nil)
        try await store.save(try StoreFixture.segment([4, 3]), of: .public, now: 1)
        #expect(try await fixture.open().contents() == ["4", "3"])
    }

    /// The damage lies where opening does not look.
    @Test func damageIsNoticedWhenItIsRead() async throws {
        let fixture = try StoreFixture()
        for first in stride(from: 2000, to: 0, by: -100) {
            let ids = Array((first - 99...first).reversed())
            let segment = try StoreFixture.segment(ids, before: first + 1, next: first - 99)
            try await fixture.open().save(segment, of: .public, now: 1)
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0x41, count: Int(size) - 8192))
        try file.close()
        let store = try fixture.open()
        _ = try await store.contents()
        try await store.save(try StoreFixture.segment([5000, 4999]), of: .public, now: 1)
        #expect(try await store.contents()?.first == "5000")
    }

    @Test func folderMayBeDeletedAtAnyTime() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try FileManager.default.removeItem(atPath: fixture.folder.path)
        try await store.save(try StoreFixture.segment([4, 3]), of: .public, now: 1)
        #expect(try await fixture.open().contents() == ["4", "3"])
    }

    /// Earlier versions kept one page of each timeline.
    @Test func fileOfAnotherVersionIsReplaced() async throws {
        let fixture = try StoreFixture()
        try fixture.access { db in
            try db.execute(
                sql: """
                    CREATE TABLE page (owner TEXT, timeline TEXT, synced_at INTEGER) STRICT;
                    CREATE TABLE entry (owner TEXT, timeline TEXT, position INTEGER, json BLOB) STRICT;
                    INSERT INTO entry VALUES ('ada', 'home', 0, x'00');
                    """)
        }
        let store = try fixture.open()
        #expect(try await store.contents() == nil)
        try await store.save(try StoreFixture.segment([1]), of: .public, now: 1)
        #expect(try await store.contents() == ["1"])
        #expect(try fixture.access { try $0.tableExists("page") } == false)
    }

    @Test func damagedRowIsLeftOut() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try await store.save(try StoreFixture.segment([5, 4, 3], next: 3), of: .public, now: 1)
        for id in [4, 3] {
            try fixture.access { try $0.execute(sql: "UPDATE status SET json = x'ff' WHERE key = '01\(id)'") }
        }
        #expect(try await store.contents() == ["5|"])
        let edited = ChangeFeedEntry(
            position: "e-1", event: "status.update", id: "3", time: nil, entry: try StoreFixture.entry(3, "new"))
        try await store.apply([edited], .init(position: "e-1", time: 1))
        #expect(try await store.contents() == ["5", "3new|"])
    }

    // MARK: Several users

    @Test func ownersAndTimelinesAreSeparate() async throws {
        let fixture = try StoreFixture()
        let (ada, bob) = (try fixture.open(), try fixture.open(owner: "http://127.0.0.1 bob"))
        try await ada.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try await bob.save(try StoreFixture.segment([3]), of: .public, now: 1)
        try await ada.save(try StoreFixture.segment([2]), of: .tag("Kites"), now: 1)
        try await ada.save(try StoreFixture.segment([1]), of: .public, now: 1)
        #expect(try await ada.contents() == ["1"])
        #expect(try await bob.contents() == ["3"])
        #expect(try await ada.contents(.tag("kites")) == ["2"])
        // The status remains for the hashtag, and only for it.
        try await ada.save(try StoreFixture.segment([]), of: .tag("kites"), now: 1)
        #expect(
            try fixture.access { try String.fetchAll($0, sql: "SELECT key FROM status ORDER BY key") } == [
                "011", "013",
            ])
    }

    /// Also from the unused pages of the file.
    @Test func everythingOfAnOwnerIsRemoved() async throws {
        let fixture = try StoreFixture()
        let (ada, bob) = (try fixture.open(), try fixture.open(owner: "http://127.0.0.1 bob"))
        for (store, text) in [(ada, "private to ada"), (bob, "private to bob")] {
            let entries = try (1...50).reversed().map { try StoreFixture.entry($0, text) }
            try await store.save(TimelineSegment(entries: entries), of: .home, now: 1)
            _ = try await store.moveReadPosition(.home, to: "50")
        }
        try await ada.removeAll()
        #expect(try await ada.contents(.home) == nil)
        #expect(try await ada.readPosition(.home) == nil)
        #expect(try await bob.contents(.home)?.count == 50)
        #expect(try await bob.readPosition(.home) == "50")
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        #expect(file.range(of: Data("private to ada".utf8)) == nil)
        #expect(file.range(of: Data("private to bob".utf8)) != nil)
        try await ada.removeAll()
        try await ada.save(try StoreFixture.segment([1]), of: .home, now: 1)
        #expect(try await ada.contents(.home) == ["1"])
    }

    @Test func severalWritersAndReadersShareAFile() async throws {
        let fixture = try StoreFixture()
        let stores = try (0..<6).map { _ in try fixture.open() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for part in 0..<20 {
                        let (low, high) = (part * 10 + 1, part * 10 + 11)
                        let ids = Array((low..<high).reversed())
                        let segment = try StoreFixture.segment(ids, before: high, since: low - 1)
                        let own = try StoreFixture.segment([index + 1])
                        try await Self.waitingLonger { try await store.save(segment, of: .public, now: 1) }
                        try await Self.waitingLonger {
                            try await store.save(own, of: .account("a\(index)"), now: 1)
                        }
                        let stored = try await Self.waitingLonger { try await store.contents() ?? [] }
                        #expect(stored.contains { $0 == "\(low)" || $0 == "\(low)|" })
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try await fixture.open().contents() ?? []
        #expect(all.map { $0.replacing("|", with: "") } == (1...200).reversed().map(String.init))
        for index in 0..<6 { #expect(try await stores[0].contents(.account("a\(index)")) == ["\(index + 1)"]) }
    }

    /// Repeats what has failed because others used the file for longer than the store waits, as on a busy machine.
    private static func waitingLonger<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        while true {
            do { return try await work() } catch let error as FeedClientError {
                guard (error.cause as? DatabaseError)?.resultCode == .SQLITE_BUSY else { throw error }
            }
        }
    }

    /// A page that was requested before another process stored newer statuses does not contain them.
    @Test func olderResponseDoesNotRemoveNewerStatuses() async throws {
        let store = try StoreFixture().open()
        try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        let revision = try await store.revision(of: .public)
        try await store.save(try StoreFixture.segment([9, 8], next: 8), of: .public, now: 1)
        let older = try StoreFixture.segment([3, 2], next: 2)
        try await store.save([older], of: .public, now: 1, revision: revision)
        #expect(try await store.contents() == ["9", "8|", "3", "2", "1"])
        let present = try await store.revision(of: .public)
        try await store.save([older], of: .public, now: 1, revision: present)
        #expect(try await store.contents() == ["3", "2", "1"])
    }

    /// Statuses that were read with an upper bound are not the newest ones.
    @Test func timeIsThatOfTheNewestStatuses() async throws {
        let store = try StoreFixture().open()
        for (before, now, expected) in [(5, 1, 0), (nil, 2, 2), (4, 3, 2)] as [(Int?, Int64, Int64)] {
            try await store.save(try StoreFixture.segment([3], before: before, next: 3), of: .public, now: now)
            let found = try await store.statuses(of: .public, count: 9)
            #expect(found?.syncedAt == expected && found?.hasNewest == (expected > 0))
        }
    }

    // MARK: Limits

    @Test func numberOfStatusesIsLimited() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open { $0.statuses = 3 }
        try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try await store.save(try StoreFixture.segment([4, 3, 2]), of: .public, now: 2)
        #expect(try await store.contents() == ["4", "3", "2"])
        try await store.save(try StoreFixture.segment([9]), of: .home, now: 3)
        #expect(try await store.contents() == ["4", "3|"])
        // Others have their own limit.
        try await fixture.open(owner: "bob") { $0.statuses = 3 }.save(
            try StoreFixture.segment([1, 2]), of: .public, now: 4)
        #expect(try await store.contents() == ["4", "3|"])
    }

    /// A walk down a timeline is stored in parts, the newest first.
    @Test(arguments: [true, false]) func oldestStatusesOfAWalkAreRemovedFirst(isOneSave: Bool) async throws {
        let store = try StoreFixture().open { $0.statuses = 3 }
        let parts = [
            try StoreFixture.segment([12, 11], next: 11), try StoreFixture.segment([10, 9], before: 11, next: 9),
        ]
        for parts in isOneSave ? [parts] : parts.map({ [$0] }) { try await store.save(parts, of: .public, now: 1) }
        #expect(try await store.contents() == ["12", "11", "10|"])
    }

    @Test func ageIsLimited() async throws {
        let day: Int64 = 86_400_000
        let fixture = try StoreFixture()
        try await fixture.open(owner: "bob").save(try StoreFixture.segment([2, 1]), of: .public, now: day)
        let store = try fixture.open { $0.days = 10 }
        try await store.save(try StoreFixture.segment([5, 4, 3]), of: .public, now: 2 * day)
        try await store.save(try StoreFixture.segment([9, 5], next: 5), of: .public, now: 8 * day)
        try await store.save(try StoreFixture.segment([7]), of: .home, now: 13 * day)
        #expect(try await store.contents() == ["9", "5|"])
        #expect(try await fixture.open(owner: "bob").contents() == nil)
    }

    @Test func sizeIsLimited() async throws {
        let fixture = try StoreFixture()
        let text = String(repeating: "x", count: 2000)
        for (index, owner) in ["ada", "bob"].enumerated() {
            let store = try fixture.open(owner: owner) { $0.bytes = 1 << 20 }
            for number in 0..<50 {
                let ids = (number * 10 + 1...number * 10 + 10).reversed()
                let segment = TimelineSegment(
                    entries: try ids.map { try StoreFixture.entry($0, text) }, next: String(number * 10 + 1))
                try await store.save(segment, of: .public, now: Int64(index * 1000 + number))
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int ?? 0
        #expect(size > 1 << 19 && size < 3 << 19)
        #expect(try await fixture.open(owner: "bob").contents()?.first == "500" + text)
        #expect((try await fixture.open(owner: "ada").contents() ?? []).isEmpty)
    }

    // MARK: Cost

    @Test func pageIsReadWithOneIndexedQuery() async throws {
        let fixture = try StoreFixture()
        let ids = Array((1...500).reversed())
        try await fixture.open().save(try StoreFixture.segment(ids), of: .public, now: 1)
        let statements = Mutex<[String]>([])
        try fixture.access { db in
            let timeline = try Int64.fetchOne(db, sql: "SELECT id FROM timeline") ?? 0
            db.trace(options: .statement) { event in
                if case .statement(let statement) = event { statements.withLock { $0.append(statement.sql) } }
            }
            let reader = StoredTimelineReader(rows: TimelineEntryTable(db: db, timeline: timeline), syncedAt: 1)
            let start = StoredTimelineReader.Position(TimelineRange(), count: 40, countsRepetitions: false)
            let found = try reader.part(from: start, count: StoredTimelineParts.size)
            db.trace(options: .statement, nil)
            #expect(found.timeline.entries.count == 40 && found.next == nil)
            #expect(statements.withLock { $0.count } == 1)
            for sql in statements.withLock({ $0 }) {
                for row in try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: [0, 0, 0]) {
                    let step: String = row["detail"]
                    #expect(step.hasPrefix("SEARCH") && step.contains("PRIMARY KEY"), "\(step)")
                }
            }
        }
    }

    /// A boosted status counts once.
    @Test func repetitionsAreNotCounted() async throws {
        let store = try StoreFixture().open()
        let entries = [
            try StoreFixture.entry(9, boosting: 2), try StoreFixture.entry(8, boosting: 2), try StoreFixture.entry(7),
            try StoreFixture.entry(6),
        ]
        try await store.save(TimelineSegment(entries: entries), of: .public, now: 1)
        let counts = [true, false]
        for counted in counts {
            let found = try await store.statuses(of: .public, count: 2, countsRepetitions: counted)
            #expect(found?.entries.map(\.entry.status.id) == (counted ? ["9", "8"] : ["9", "8", "7"]))
        }
    }
}
