import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct CertificateFilesTests {
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
