import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct BackupNameTests {
    @Test func namesComeFromTimes() throws {
        let name = try #require(BackupName(time: "2026-11-22T08:15:30.123Z"))
        #expect(name.description == "backup-2026-11-22T08-15-30.123Z")
        #expect(name.databaseFile == "backup-2026-11-22T08-15-30.123Z.sqlite")
        #expect(name.manifestFile == "backup-2026-11-22T08-15-30.123Z.json")
        #expect(BackupName(databaseFile: name.databaseFile) == name)
        #expect(BackupName(manifestFile: name.manifestFile) == name)
        #expect(BackupName(manifestFile: name.databaseFile) == nil)
    }

    @Test(arguments: [
        "", "backup-.json", "backup-2026-11-22.json", "backup-2026-11-22T08-15-30Z.json",
        "backup-2026-11-22T08:15:30.123Z.json", "backup-2026-11-22T08-15-30.123z.json",
        "backup-2026-11-22T08-15-30.123Z.json.tmp", "../backup-2026-11-22T08-15-30.123Z.json",
        "backup-../../../../etc/passwd.json", "backup-2026/11/22T08-15-30.123Z.json",
        "backup-2026-11-22T08-15-30.12\u{0663}Z.json", "Backup-2026-11-22T08-15-30.123Z.json",
        "backup-+026-11-22T08-15-30.123Z.json", "backup-2026-11-22T08-15-30.123Z\u{301}.json",
    ])
    func otherFilesAreNotBackups(file: String) { #expect(BackupName(manifestFile: file) == nil) }

    @Test(arguments: ["10000-01-01T00:00:00.000Z", "2026-11-22T08:15:30Z", "2026-11-22 08:15:30.123Z", "now"])
    func otherTimesHaveNoName(time: String) { #expect(BackupName(time: time) == nil) }

    @Test func orderOfNamesIsTheOrderOfTimes() throws {
        let times = ["1970-01-01T00:00:00.000Z", "2026-11-22T08:15:30.123Z", "2026-11-22T08:15:30.124Z"]
        let names = times.compactMap(BackupName.init(time:))
        #expect(names.count == 3 && names.reversed().sorted() == names)
    }
}

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
