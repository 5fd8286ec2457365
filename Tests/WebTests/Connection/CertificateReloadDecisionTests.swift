import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct CertificateReloadDecisionTests {
    /// The stamps that are observed one after the other, and whether the files are loaded then.
    @Test(arguments: [
        ([1, 1, 1], [false, false, false]),
        // A change is loaded once it has lasted for one observation.
        ([2, 2, 2, 2], [false, true, false, false]),
        // The certificate has been replaced, then the key.
        ([2, 3, 3], [false, false, true]), ([2, 3, 4, 5], [false, false, false, false]),
        ([2, 1, 2, 2], [false, false, false, true]), ([2, 2, 3, 3], [false, true, false, true]),
        // Back to the files of the latest attempt but one.
        ([2, 2, 1, 1], [false, true, false, true]),
    ])
    func changesAreLoadedOnce(stamps: [Int], loads: [Bool]) {
        var reload = CertificateReload(loaded: 1)
        #expect(stamps.map { reload.observe($0) } == loads)
    }

    @Test func anotherAttemptCounts() {
        var reload = CertificateReload(loaded: 1)
        let first = reload.observe(2)
        reload.attempted(2)
        let second = reload.observe(2)
        #expect(!first && !second)
    }

    @Test func unreadableFilesAreTriedAgain() {
        var reload = CertificateReload(loaded: 1)
        let first = [2, 2, 2].map { reload.observe($0) }
        reload.couldNotRead()
        let second = [2, 2, 2].map { reload.observe($0) }
        #expect(first == [false, true, false] && second == first)
    }

    /// A copy can keep the size and set the old time.
    @Test func stampShowsAModificationWithTheOldTime() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("key.pem", "old")
        let before = try #require(FileStamp(path))
        #expect(FileStamp(path) == before)
        var status = stat()
        #expect(stat(path, &status) == 0)
        // The clock of the file system advances in steps of a few milliseconds.
        var changed = status
        while changed.st_ctim.tv_sec == status.st_ctim.tv_sec, changed.st_ctim.tv_nsec == status.st_ctim.tv_nsec {
            try Data("new".utf8).write(to: URL(fileURLWithPath: path))
            var times = [status.st_atim, status.st_mtim]
            #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
            #expect(stat(path, &changed) == 0)
        }
        #expect(FileStamp(path) != before)
        #expect(FileStamp(folder.path + "/missing") == nil)
    }

    @Test(arguments: [
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA", true),
        ("-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n", true),
        ("-----BEGIN PRIVATE KEY-----\nAAAA", false), ("", false),
    ])
    func encryptedKeysAreRecognized(text: String, isEncrypted: Bool) {
        #expect(CertificateFiles.isEncrypted(Array(text.utf8)) == isEncrypted)
    }
}
