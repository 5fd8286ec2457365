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
