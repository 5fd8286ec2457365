import FeedTestSupport
import Foundation
import TestKit
import Testing

/// File operations that fail while a picture is added to the cache, and `kill -9` at any of them: the cache keeps its
/// limit and never shows damaged pictures, and the next command works.
@Suite(.hangLimit, .enabled(if: ImageLibrary.areInstalled))
struct CacheCrashTests {
    private static let arguments = ["timeline", "home", "--images", "blocks"]
    /// The maximum size of the cache in bytes.
    private static let limit = 64 << 20
    private static let largest = 4 << 20

    /// A login whose home timeline has a picture.
    private let people: ClientPeople

    init() async throws {
        people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let path = try home.folder.file("boat.png")
        try SampleImages.png(60, 40).write(to: URL(fileURLWithPath: path))
        let posted = try await home.run("post", "one", "--media", path, "--alt", "a boat")
        try #require(posted.code == 0, "\(posted.error)")
    }

    @Test(arguments: FaultyClient.Fault.allCases, [true, false])
    func cacheStaysIntact(_ fault: FaultyClient.Fault, isFull: Bool) async throws {
        let client = try await FaultyClient()
        let start = try await isFull ? filled() : people.homes[0]
        let reference = try await start.copy().run(Self.arguments)
        #expect(reference.code == 0 && reference.text.contains("▀"), "\(reference.error)")
        let operations = try await client.operations(try await start.copy(), Self.arguments, in: "/cache")
        let evicts = operations.contains { $0.hasPrefix("unlink ") && $0.contains("/avatars/") }
        #expect(evicts == isFull)
        for number in FaultyClient.numbers(of: operations, atMost: 10) {
            let home = try await start.copy()
            let run = try await client.run(home, Self.arguments, in: "/cache", at: number, fault)
            Self.check(run, reference)
            #expect(Self.size(home) <= Self.limit, run.note)
            let verified = try await home.run("cache", "verify")
            #expect(verified.code == 0 || verified.code == 8 && verified.error.contains("damaged"), run.note)
            let next = try await home.run(Self.arguments)
            #expect(next.text == reference.text && next.error.isEmpty, "\(next.error) after \(run.note)")
            let stats = try await home.run("cache", "stats", "--json").object()
            #expect(stats["bytes"] as? Int == Self.size(home) && Self.size(home) <= Self.limit, run.note)
        }
    }

    /// The timeline is shown with its pictures, or without them.
    private static func check(_ run: FaultyClient.Run, _ reference: Finished) {
        guard !run.isKilled else {
            #expect(run.done.code == 128 + SIGKILL, run.note)
            return
        }
        #expect(run.done.code == 0 && run.done.error.isEmpty, run.note)
        let isWithoutPictures = run.isHit && !run.done.text.contains("▀") && run.done.text.contains("one\n")
        #expect(run.done.text == reference.text || isWithoutPictures, run.note)
    }

    /// The size of the files with pictures, in bytes.
    private static func size(_ home: ClientHome) -> Int {
        let folder = home.folder.path + "/cache/feedclient/avatars"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.contains("/") }.reduce(0) { size, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return size + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// A home whose cache has reached its limit, so that a picture must give way to the next one. The files have holes and
    /// need no space.
    private func filled() async throws -> ClientHome {
        let home = try await people.homes[0].copy()
        let created = try await home.run("cache", "stats")
        try #require(created.code == 0, "\(created.error)")
        let folder = home.folder.path + "/cache/feedclient"
        // Pictures that nobody has used for long would be removed.
        let now = Int(Date().timeIntervalSince1970 * 1000)
        var (rest, rows) = (Self.limit, [String]())
        while rest > 0 {
            let size = min(rest, Self.largest - rows.count)
            let hash = Checksum.sha256(Data(count: size))
            let place = "\(folder)/avatars/\(hash.prefix(2))"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let file = place + "/" + hash
            try Data().write(to: URL(fileURLWithPath: file))
            try #require(truncate(file, off_t(size)) == 0)
            rows.append(
                "('http://a.test/\(rows.count)', '\(hash)', 'image/png', NULL, NULL, 0, \(size), \(now + rows.count))")
            rest -= size
        }
        try DatabaseFile.execute(
            "INSERT INTO avatar (url, hash, type, etag, last_modified, fresh_until, size, last_used) VALUES "
                + rows.joined(separator: ", "), file: folder + "/avatars.sqlite")
        let verified = try await home.run("cache", "verify")
        #expect(verified.code == 0 && verified.text.contains("\(rows.count) pictures"), "\(verified.error)")
        return home
    }
}
