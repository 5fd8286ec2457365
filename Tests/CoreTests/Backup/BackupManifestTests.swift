import FeedCore
import Foundation
import TestKit
import Testing

/// The manifest of a backup, which anyone may have written.
@Suite(.hangLimit)
struct BackupManifestTests {
    private static let hash = String(repeating: "0a", count: 32)

    static func manifest(_ time: String = "2026-11-22T08:15:30.123Z") throws -> BackupManifest {
        BackupManifest(
            version: "0.1.0", name: try #require(BackupName(time: time)), schema: 11, epoch: "e", lastChange: 5,
            counts: .init(accounts: 1, statuses: 2, files: 3), database: .init(bytes: 4096, sha256: hash),
            blobs: .init(count: 3, bytes: 10, sha256: hash, missing: [hash]))
    }

    @Test func manifestIsReadAsItWasWritten() throws {
        let manifest = try Self.manifest()
        let name = try #require(manifest.name)
        #expect(try BackupManifest.parse(try manifest.encoded(), name: name) == manifest)
    }

    /// Each row replaces a part of a valid manifest.
    @Test(arguments: [
        ("\"format\" : 1", "\"format\" : 2"), ("\"format\" : 1", "\"format\" : 1.5"),
        ("\"format\" : 1", "\"format\" : 9223372036854775808"), ("\"format\" : 1,", ""),
        ("\"lastChange\" : 5", "\"lastChange\" : -1"), ("\"schema\" : 11", "\"schema\" : -11"),
        ("\"accounts\" : 1", "\"accounts\" : -1"), ("\"bytes\" : 4096", "\"bytes\" : -4096"),
        ("\"bytes\" : 4096", "\"bytes\" : 1e400"), ("\"bytes\" : 4096", "\"bytes\" : \"4096\""),
        ("\"bytes\" : 4096", "\"bytes\" : null"), ("2026-11-22T08:15:30.123Z", "2026-11-22T08:15:30.124Z"),
        ("0a0a", "0A0A"), ("0a0a", "../a"), ("0a0a", "0a"), ("0a0a", "0a0a0a"), ("{", "["), ("}", ""),
        ("\"epoch\" : \"e\"", "\"epoch\" : \"\(String(repeating: "e", count: 101))\""),
    ])
    func hostileManifestIsRefused(part: String, replacement: String) throws {
        let manifest = try Self.manifest()
        let name = try #require(manifest.name)
        let text = String(decoding: try manifest.encoded(), as: UTF8.self)
        let changed = text.replacing(part, with: replacement, maxReplacements: 1)
        #expect(changed != text)
        let error = #expect(throws: FeedError.self) { try BackupManifest.parse(Data(changed.utf8), name: name) }
        #expect(error?.kind == .malformed)
    }

    @Test func sizesAreBounded() throws {
        var manifest = try Self.manifest()
        let name = try #require(manifest.name)
        manifest.blobs.missing = Array(repeating: Self.hash, count: BackupManifest.maximumMissing + 1)
        #expect(throws: FeedError.self) { try BackupManifest.parse(try manifest.encoded(), name: name) }
        let valid = try Self.manifest().encoded()
        let padded = valid + Data(repeating: 0x20, count: BackupManifest.maximumBytes)
        #expect(throws: FeedError.self) { try BackupManifest.parse(padded, name: name) }
        let deep = Data(String(repeating: "[", count: 100_000).utf8)
        #expect(throws: FeedError.self) { try BackupManifest.parse(deep, name: name) }
        #expect(throws: FeedError.self) { try BackupManifest.parse(Data(), name: name) }
    }
}
