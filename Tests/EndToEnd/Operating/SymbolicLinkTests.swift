import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Symbolic links that somebody has placed in folders that we write.
@Suite(.hangLimit)
struct SymbolicLinkTests {
    /// A command, the folder in which a link is placed, and the names of links to folders and to files.
    struct Row: Sendable, CustomTestStringConvertible {
        let command: [String]
        let place: String
        let folders: [String]
        let files: [String]

        var testDescription: String { command[0] }
    }

    private static let locks = [
        "blobs.lock", "feed.lock", "serve.lock", "reserve", "feed.sqlite-wal", "feed.sqlite-shm",
    ]

    static let rows = [
        Row(command: ["backup", "$B"], place: "$B", folders: ["tmp", "blobs"], files: ["backup.lock"]),
        Row(command: ["backup", "$B", "--keep", "1"], place: "$B", folders: ["tmp", "blobs"], files: []),
        Row(
            command: ["restore", "$B", "--data", "$N"], place: "$N", folders: ["restoring", "tmp", "blobs"],
            files: ["feed.lock"]),
        Row(command: ["gc"], place: "$D", folders: ["tmp", "blobs"], files: locks),
        Row(command: ["check", "--repair"], place: "$D", folders: ["tmp", "blobs"], files: locks),
        Row(command: ["account", "list"], place: "$D", folders: [], files: ["feed.lock", "feed.sqlite"]),
        Row(command: ["vacuum"], place: "$D", folders: [], files: locks),
        Row(command: ["import", "$I"], place: "$D", folders: ["tmp", "blobs"], files: ["feed.sqlite.import-lock"]),
        Row(command: ["serve"], place: "$D", folders: ["tmp", "blobs", "run"], files: locks),
    ]

    /// Files that look like ours, in folders that look like ours.
    private static func outside() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let hash = String(repeating: "ab", count: 32)
        let names = [
            "victim", "id", "feed.sqlite", "backup-2026-11-23T08-00-00.000Z.sqlite", UUID().uuidString, "x-1-2.sock",
            "ab/ab/" + hash, "ab/ab/" + String(repeating: "x", count: 64), "restoring/id",
        ]
        for name in names {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o644)
        }
        return folder
    }

    /// Everything in a folder with its mode and content.
    private static func contents(_ folder: TemporaryFolder) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            var status = stat()
            stat(folder.path + "/" + name, &status)
            let text = (try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)) ?? ""
            found[name] = "\(status.st_mode) \(text)"
        }
        return found
    }

    /// A data folder with a file in it, and a backup of it.
    private static func feed() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let added = try await Tool.run(
            Programs.feedserver, ["account", "add", "ada", "--password-stdin", "--data", data],
            input: Data("correct horse\n".utf8))
        try #require(added.code == 0, "\(added.error)")
        _ = try folder.file("import.ndjson", #"{"kind":"account","username":"bob"}"# + "\n")
        let backedUp = try await Tool.run(Programs.feedserver, ["backup", folder.path + "/backups", "--data", data])
        try #require(backedUp.code == 0, "\(backedUp.error)")
        return folder
    }

    @Test(arguments: rows)
    func linkIsNotFollowed(row: Row) async throws {
        let (feed, outside) = (try await Self.feed(), try Self.outside())
        let before = try Self.contents(outside)
        let links =
            row.folders.map { ($0, outside.path) } + row.files.map { ($0, outside.path + "/victim") }
            + row.files.map { ($0, outside.path + "/dangling") }
        for (name, target) in links {
            try await Self.run(row, linking: name, to: target, feed)
            #expect(try Self.contents(outside) == before, "\(row.command) with \(name) as a link to \(target)")
        }
    }

    private static func run(_ row: Row, linking name: String, to target: String, _ feed: TemporaryFolder) async throws {
        let copy = try TemporaryFolder()
        let paths = [
            "$B": copy.path + "/backups", "$D": copy.path + "/data", "$N": copy.path + "/new",
            "$I": feed.path + "/import.ndjson",
        ]
        try FileManager.default.createDirectory(atPath: copy.path + "/new", withIntermediateDirectories: true)
        for part in ["backups", "data"] {
            try FileManager.default.copyItem(atPath: feed.path + "/" + part, toPath: copy.path + "/" + part)
        }
        let path = (paths[row.place] ?? "") + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try #require(symlink(target, path) == 0)
        if row.command[0] == "serve" { return try await startServer(copy) }
        var arguments = row.command.map { paths[$0] ?? $0 }
        if !arguments.contains("--data") { arguments += ["--data", copy.path + "/data"] }
        let done = try await Tool.run("timeout", ["\(Wait.seconds)", Programs.feedserver] + arguments)
        #expect(![124, 137].contains(done.code), "\(row.command) hangs at \(name)")
    }

    /// Starts a server, which may refuse to, and stops it once it listens.
    private static func startServer(_ folder: TemporaryFolder) async throws {
        do { try await ServerProcess.start(folder: folder).stop() } catch is StartFailure {}
    }

    /// The whole folder may be elsewhere, as people arrange it on purpose.
    @Test func foldersThemselvesMayBeLinks() async throws {
        let (feed, links) = (try await Self.feed(), try TemporaryFolder())
        for name in ["data", "backups"] { symlink(feed.path + "/" + name, links.path + "/" + name) }
        for arguments in [["gc"], ["check"], ["backup", links.path + "/backups"]] {
            let done = try await Tool.run(Programs.feedserver, arguments + ["--data", links.path + "/data"])
            #expect(done.code == 0, "\(arguments): \(done.error)")
        }
        let restored = try await Tool.run(
            Programs.feedserver, ["restore", links.path + "/backups", "--data", links.path + "/new"])
        #expect(restored.code == 0, "\(restored.error)")
    }
}
