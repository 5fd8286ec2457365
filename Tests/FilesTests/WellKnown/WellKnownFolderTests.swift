import FeedFiles
import FeedFolders
import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

/// The folder of `--well-known`.
@Suite(.hangLimit)
struct WellKnownFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func add(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    static let types: [(name: String, text: String, type: String)] = [
        ("apple-app-site-association", " {\"applinks\":{}}", "application/json"),
        ("list", "[]", "application/json"), ("atproto-did", "did:plc:x", "text/plain; charset=utf-8"),
        ("empty", "", "text/plain; charset=utf-8"), ("assetlinks.json", "x", "application/json"),
        ("Security.TXT", "Contact: x", "text/plain; charset=utf-8"), ("host-meta.xml", "<a/>", "application/xml"),
        ("page.html", "<script>", "application/octet-stream"),
    ]

    @Test(arguments: types.indices) func nameAndContentDecideTheType(index: Int) throws {
        let (name, text, type) = Self.types[index]
        try add(name, text)
        let found = try WellKnownFolder(folder.path)
        let file = try #require(found.files[Array(name.utf8)])
        #expect(found.files.count == 1 && found.skipped.isEmpty)
        #expect(file.content == Array(text.utf8) && file.type == type, "\(file.type)")
    }

    @Test func linksFoldersAndLargeFilesAreSkipped() throws {
        let other = try TemporaryFolder()
        let secret = try other.file("secret", "{}")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: secret)
        try FileManager.default.createDirectory(atPath: folder.path + "/sub", withIntermediateDirectories: false)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        try add("large", String(repeating: "x", count: WellKnownFolder.maximumBytes + 1))
        try add("largest", String(repeating: "x", count: WellKnownFolder.maximumBytes))
        try add(".hidden", "{}")
        let found = try WellKnownFolder(folder.path)
        #expect(found.files.keys.map { String(decoding: $0, as: UTF8.self) } == ["largest"])
        #expect(found.skipped.map(\.name) == ["large", "link", "pipe", "sub"])
    }

    @Test func numberOfFilesIsBounded() throws {
        for number in 0...WellKnownFolder.maximumCount { try add("file\(number)", "{}") }
        let found = try WellKnownFolder(folder.path)
        #expect(found.files.count == WellKnownFolder.maximumCount && found.skipped.count == 1)
    }

    @Test func missingFolderIsAnError() {
        #expect(throws: FolderError.self) { try WellKnownFolder(folder.path + "/missing") }
    }
}
