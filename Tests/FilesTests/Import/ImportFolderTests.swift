import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ImportFolderTests {
    private let place: TemporaryFolder
    private let folder: ImportFolder

    init() throws {
        place = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: place.path + "/import/a/b", withIntermediateDirectories: true)
        folder = try ImportFolder(of: place.path + "/import/feed.ndjson")
    }

    private func read(_ path: String, limits: MediaLimits = MediaLimits()) throws -> String {
        let descriptor = try folder.open(try ImportPath(path), limits: limits)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }

    private func expectRefused(_ path: String, _ kind: FeedError.Kind, limits: MediaLimits = MediaLimits()) {
        let error = #expect(throws: FeedError.self, "\(path)") { try read(path, limits: limits) }
        #expect(error?.kind == kind && error?.hint != nil, "\(path): \(String(describing: error))")
    }

    @Test func filesBelowTheFolderAreOpened() throws {
        for path in ["x", "a/x", "a/b/x"] {
            _ = try place.file("import/" + path, "content of " + path)
            #expect(try read(path) == "content of " + path)
        }
        #expect(throws: FeedError.self) { try ImportFolder(of: place.path + "/missing/feed.ndjson") }
    }

    @Test func linksAreNotFollowed() throws {
        let files = FileManager.default
        let outside = try place.file("outside", "secret")
        try files.createSymbolicLink(atPath: place.path + "/import/link", withDestinationPath: outside)
        try files.createSymbolicLink(atPath: place.path + "/import/up", withDestinationPath: place.path)
        try files.createSymbolicLink(atPath: place.path + "/import/a/loop", withDestinationPath: "loop")
        // Even inside the folder, so that no race can lead out of it.
        _ = try place.file("import/a/x", "inside")
        try files.createSymbolicLink(atPath: place.path + "/import/inside", withDestinationPath: "a/x")
        for path in ["link", "a/loop", "inside"] { expectRefused(path, .invalid) }
        #expect(throws: FeedError.self) { try read("up/outside") }
    }

    /// U+0600 forms one character with the slash behind it; both names together would be opened through the link.
    @Test func linkBeforeAHiddenSlashIsNotFollowed() throws {
        _ = try place.file("outside.png", "secret")
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/import/d\u{600}", withDestinationPath: place.path)
        #expect(throws: FeedError.self) { try read("d\u{600}/outside.png") }
    }

    @Test func onlyRegularFilesAreOpened() throws {
        try #require(mkfifo(place.path + "/import/pipe", 0o600) == 0)
        expectRefused("pipe", .invalid)
        expectRefused("a", .invalid)
        expectRefused("missing", .notFound)
        _ = try place.file("import/x", "12345")
        expectRefused("x/y", .notFound)
        var limits = MediaLimits()
        (limits.imageBytes, limits.videoBytes) = (4, 4)
        expectRefused("x", .tooLarge, limits: limits)
        limits.videoBytes = 5
        #expect(try read("x", limits: limits) == "12345")
    }
}
