import FeedClientKit
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Files that are to be attached are checked before anything else happens.
@Suite(.hangLimit)
struct MediaFileTests {
    static let heads: [(head: [UInt8], isMedia: Bool)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], true), ([0xFF, 0xD8, 0xFF, 0xE0], true),
        (Array("GIF89a".utf8), true), (Array("RIFF....WEBP".utf8), true),
        ([0, 0, 0, 24] + Array("ftypheic".utf8), true),
        ([0, 0, 0, 24] + Array("ftypmp42".utf8), true), ([0x1A, 0x45, 0xDF, 0xA3], true), (Array("OggS".utf8), true),
        (Array("ID3".utf8), true), ([0xFF, 0xFB, 0x90], true), (Array("fLaC".utf8), true), (Array("notes".utf8), false),
        (Array("%PDF-1.7".utf8), false), (Array("PK\u{3}\u{4}".utf8), false), ([], false), ([0, 0, 0, 24], false),
    ]

    @Test(arguments: heads) func formatIsRecognized(row: (head: [UInt8], isMedia: Bool)) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.bin", "")
        try Data(row.head).write(to: URL(fileURLWithPath: path))
        guard !row.isMedia else { return try MediaFile(path).check() }
        let error = #expect(throws: FeedClientError.self) { try MediaFile(path).check() }
        #expect(error?.code == .failed && error?.message.hasPrefix("a.bin: not a picture") == true)
    }

    @Test func missingFilesAndFoldersAreRefused() throws {
        let folder = try TemporaryFolder()
        let missing = #expect(throws: FeedClientError.self) { try MediaFile(folder.path + "/none").check() }
        #expect(missing?.code == .notFound)
        let other = #expect(throws: FeedClientError.self) { try MediaFile(folder.path).check() }
        #expect(other?.message.contains("not a regular file") == true)
    }
}
