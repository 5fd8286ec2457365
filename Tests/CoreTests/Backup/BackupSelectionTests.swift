import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct BackupSelectionTests {
    private static let times = [
        "2026-11-20T08:00:00.000Z", "2026-11-22T08:00:00.000Z", "2026-11-21T08:00:00.000Z",
    ]

    /// A time and the expected backup.
    @Test(arguments: [
        (nil, "2026-11-22T08:00:00.000Z"), ("2030-01-01T00:00:00.000Z", "2026-11-22T08:00:00.000Z"),
        ("2026-11-22T08:00:00.000Z", "2026-11-22T08:00:00.000Z"),
        ("2026-11-22T07:59:59.999Z", "2026-11-21T08:00:00.000Z"),
        ("2026-11-21T08:00:00.001Z", "2026-11-21T08:00:00.000Z"),
        ("2026-11-20T23:59:59.999Z", "2026-11-20T08:00:00.000Z"),
    ])
    func newestAtOrBeforeATimeIsChosen(time: String?, expected: String) throws {
        let manifests = try Self.times.map(BackupManifestTests.manifest)
        let chosen = try BackupSelection.newest(of: manifests, at: time.flatMap(BackupName.init(time:)))
        #expect(chosen.time == expected)
    }

    @Test func errorNamesTheOldestBackup() throws {
        let manifests = try Self.times.map(BackupManifestTests.manifest)
        let error = #expect(throws: FeedError.self) {
            try BackupSelection.newest(of: manifests, at: BackupName(time: "2026-11-20T07:59:59.999Z"))
        }
        #expect(error?.kind == .notFound && error?.hint?.contains("2026-11-20T08:00:00.000Z") == true)
        #expect(throws: FeedError.self) { try BackupSelection.newest(of: []) }
    }

    @Test(arguments: [(0, 3), (1, 2), (2, 1), (3, 0), (100, 0), (-1, 3)])
    func newestBackupsAreKept(count: Int, removed: Int) {
        let names = Self.times.compactMap(BackupName.init(time:))
        #expect(BackupSelection.expired(among: names, keeping: count) == Array(names.sorted().prefix(removed)))
    }
}
