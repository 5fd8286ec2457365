import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Copies of a database in use.
@Suite(.hangLimit)
struct DatabaseBackupTests {
    private static func backUp(_ store: TestStore, as name: String) async throws -> DatabaseBackup {
        let path = store.folder.path + "/" + name
        try await store.database.backUp(to: path) { _, _ in }
        let beside = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        #expect(beside.filter { $0.hasPrefix(name) } == [name])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let copy = try DatabaseBackup(path: path)
        try await copy.requireIntact()
        return copy
    }

    @Test func copyDescribesItself() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for number in 0..<5 { try await store.post("post \(number)", by: ada) }
        _ = try await store.files.add([Self.file("a.txt", ada)], quota: nil)
        let copy = try await Self.backUp(store, as: "copy")
        defer { copy.close() }
        let facts = try await copy.facts()
        #expect(facts.counts == .init(accounts: 1, statuses: 5, files: 1))
        #expect(facts.epoch == store.database.log.epoch && facts.lastChange == store.database.log.sequence)
        #expect(throws: Never.self) { try DatabaseBackup.requireKnown(schema: facts.schema) }
        #expect(throws: FeedError.self) { try DatabaseBackup.requireKnown(schema: facts.schema + 1) }
    }

    private static func file(_ name: String, _ account: Account, blob: BlobHash = .starting("0a")) -> StoredFile {
        let blob = Blob(hash: blob, size: 7)
        return StoredFile(name: name, ownerID: account.id, blob: blob, type: "text/plain", modifiedAt: 1)
    }

    /// Posting continues during the copy, which contains everything acknowledged before and nothing partial.
    @Test func copyUnderLoadIsOneMoment() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let root = try await store.post("root", by: ada)
        // However the test ends, so do the writers.
        try await withThrowingTaskGroup(of: Void.self) { writers in
            defer { writers.cancelAll() }
            for writer in 0..<8 {
                writers.addTask {
                    var number = 0
                    while !Task.isCancelled {
                        number += 1
                        try await store.post("@ada #tag post \(writer) \(number)", by: ada, replyTo: root.id)
                    }
                }
            }
            for round in 0..<3 { try await Self.expectOneMoment(store, ada, as: "copy-\(round)") }
        }
    }

    private static func expectOneMoment(_ store: TestStore, _ ada: Account, as name: String) async throws {
        let before = try await store.accounts.account(id: ada.id)?.statusesCount ?? 0
        try await Wait.until("more statuses are posted") {
            try await store.accounts.account(id: ada.id)?.statusesCount ?? 0 > before + 50
        }
        let acknowledged = store.database.log.sequence
        let copy = try await backUp(store, as: name)
        defer { copy.close() }
        #expect(try await copy.facts().lastChange >= acknowledged)
        try await expectWhole(copy)
    }

    /// Every status has its change, its tag and its share of the counts.
    private static func expectWhole(_ copy: DatabaseBackup) async throws {
        let numbers = try await copy.read { db in
            try [
                "SELECT count(*) FROM status", "SELECT statuses_count FROM account",
                "SELECT count(*) FROM change WHERE kind = 'status.create'",
                "SELECT count(*) FROM status JOIN change ON change.subject = status.id AND kind = 'status.create'",
                "SELECT 1 + count(*) FROM status_tag", "SELECT 1 + replies_count FROM status WHERE text = 'root'",
            ].map { try db.fetchOne(SQL(sql: $0), as: Int.self) ?? 0 }
        }
        #expect(Set(numbers).count == 1 && numbers.allSatisfy { $0 > 50 }, "\(numbers)")
    }

    @Test func referencesNameEachBlobOnce() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let hashes = (0..<7).map { BlobHash.starting("\($0)f") }
        _ = try await store.files.add(
            [
                Self.file("a", ada, blob: hashes[3]), Self.file("b", ada, blob: hashes[1]),
                Self.file("c", ada, blob: hashes[1]),
            ],
            quota: nil)
        try await store.accounts.setAvatar(hashes[1], of: ada.id)
        let bob = try await store.account("bob")
        try await store.accounts.setAvatar(hashes[0], of: bob.id)
        let media = try await store.image(9, by: ada)
        let (content, thumbnail) = (media.blobs[0].hash, media.blobs[1].hash)
        _ = try await store.accounts.update(bob.id) {
            $0.header = hashes[4]
            ($0.avatarStatic, $0.headerStatic) = (hashes[5], hashes[6])
        }
        for source: any DatabaseReading in [store.database, try await Self.backUp(store, as: "copy")] {
            var found: [BlobReference] = []
            try await BlobReferences.forEachPage(in: source) { found += $0 }
            #expect(
                found == [
                    BlobReference(hash: hashes[1], size: 7, name: "b"),
                    BlobReference(hash: hashes[3], size: 7, name: "a"),
                    BlobReference(hash: hashes[0], size: nil, name: "@bob"),
                    BlobReference(hash: hashes[4], size: nil, name: "@bob"),
                    BlobReference(hash: content, size: 100, name: "media \(media.id)"),
                    BlobReference(hash: thumbnail, size: 10, name: "media \(media.id)"),
                    BlobReference(hash: hashes[5], size: nil, name: "@bob"),
                    BlobReference(hash: hashes[6], size: nil, name: "@bob"),
                ])
            #expect(try await BlobReferences.bytes(in: source) == 14 + 110)
            #expect(try await BlobReferences.hashes(prefix: 9, in: source) == [content, thumbnail])
            #expect(try await BlobReferences.hashes(prefix: 0x4F, in: source) == [hashes[4]])
            #expect(try await BlobReferences.hashes(prefix: 0x5F, in: source) == [hashes[5]])
            #expect(try await BlobReferences.hashes(prefix: 0x6F, in: source) == [hashes[6]])
            #expect(try await BlobReferences.hashes(prefix: 0x1F, in: source) == [hashes[1]])
            #expect(try await BlobReferences.hashes(prefix: 0x0F, in: source) == [hashes[0]])
            #expect(try await BlobReferences.hashes(prefix: 0x2F, in: source).isEmpty)
        }
        // The collector keeps exactly the blobs that a backup contains.
        let all = hashes + [content, thumbnail]
        #expect(
            try await store.files.used(among: all) == Set(all).subtracting([hashes[2]]))
    }
}
