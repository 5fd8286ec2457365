import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver import` of lines that name files.
@Suite(.hangLimit, .serialized)
struct ImportMediaTests {
    /// A folder with an import file and pictures.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/photos/sea", withIntermediateDirectories: true)
        for (name, content) in [
            ("me.png", SampleImages.png(64, 64)), ("photos/boat.jpg", SampleImages.jpeg),
            ("photos/sea/wide.png", SampleImages.png(900, 300) + Data("SECRET".utf8)),
            ("photos/turning.gif", SampleImages.gif), ("notes.txt", Data("no picture".utf8)),
        ] {
            try content.write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        return folder
    }

    private static let lines = [
        #"{"kind":"account","username":"cleo","avatar":"me.png","header":"photos/sea/wide.png"}"#,
        #"{"kind":"status","author":"cleo","created_at":"2023-01-01T12:00:00Z","text":"two","sensitive":true,"#
            + #""media":[{"file":"photos/boat.jpg","description":"A boat","focus":[0.5,-0.25]},"#
            + #"{"file":"photos/sea/wide.png"}]}"#,
        #"{"kind":"status","author":"cleo","created_at":"2023-01-02T12:00:00Z","text":"","#
            + #""media":[{"file":"photos/turning.gif","description":""}]}"#,
        #"{"kind":"status","author":"ada","created_at":"2023-01-03T12:00:00Z","text":"no media"}"#,
    ]

    private static func write(_ lines: [String], in folder: TemporaryFolder) throws -> String {
        try folder.file("feed.ndjson", lines.joined(separator: "\n") + "\n")
    }

    /// While the server runs, and again without a further effect.
    @Test(arguments: ["", "images"]) func importedStatusesShowTheirMedia(hidden: String) async throws {
        let (server, folder) = (
            try await FileServer.start(environment: ["FEED_WITHOUT": hidden]), try Self.folder()
        )
        let path = try Self.write(Self.lines, in: folder)
        let command = ["import", path, "--data", server.process.data]
        let dry = try await Tool.run(
            Programs.feedserver, command + ["--dry-run"], environment: ["FEED_WITHOUT": hidden])
        let counts = "1 account, 0 follows, 3 statuses, 5 media files"
        #expect(dry.code == 0 && dry.error == "would import \(counts)\n", "\(dry.error)")
        let done = try await Tool.run(Programs.feedserver, command, environment: ["FEED_WITHOUT": hidden])
        #expect(done.code == 0 && done.error == "imported \(counts)\n", "\(done.error)")
        let cleo = try await server.process.token("cleo")
        let (statuses, pictures) = (try await server.statuses(as: cleo), try await server.pictures(as: cleo))
        #expect(statuses.map { $0.mediaAttachments.map(\.description) } == [[nil], ["A boat", nil]])
        #expect(statuses.allSatisfy { $0.mediaAttachments.allSatisfy { $0.type == "image" } })
        for content in [SampleImages.jpeg, SampleImages.png(900, 300), SampleImages.gif, SampleImages.png(64, 64)] {
            #expect(pictures.values.contains(content), "a copy without metadata")
        }
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/statuses/\(statuses[1].id)")
        for part in ["\"sensitive\":true", "\"focus\":{\"x\":0.500,\"y\":-0.250}"] {
            #expect(response.text.contains(part), "\(response.text)")
        }
        let again = try await Tool.run(Programs.feedserver, command)
        #expect(again.code == 0 && again.error.contains("skipped 4 existing records"), "\(again.error)")
        #expect(try await server.statuses(as: cleo) == statuses)
        try await Self.expectNothingLeftOver(server)
    }

    private static func expectNothingLeftOver(_ server: FileServer) async throws {
        _ = try await server.collect()
        let check = try await server.process.admin("check")
        #expect(check.code == 0, "\(check.text) \(check.error)")
        #expect(server.unfinished().isEmpty)
    }

    /// Paths that lead out of the folder, and files that are no media. `OUTSIDE` is a picture beside the folder.
    private static let refused = [
        #""file":"../OUTSIDE.png""#, #""file":"photos/../../OUTSIDE.png""#, #""file":"/etc/passwd""#,
        #""file":"link.png""#, #""file":"linked/OUTSIDE.png""#, #""file":"photos""#, #""file":"pipe.png""#,
        #""file":"missing.png""#, #""file":"notes.txt""#, #""file":"""#, #""file":".""#, #""file":"a\u0000.png""#,
        #""file":"me.png","focus":[2,0]"#, #""file":"me.png","focus":[0]"#, #""file":7"#, #""name":"me.png""#,
        #""file":"me.png"},{"file":"me.png"},{"file":"me.png"},{"file":"me.png"},{"file":"me.png""#,
    ]

    @Test func refusedFilesImportNothing() async throws {
        let (server, folder) = (try await FileServer.start(), try Self.folder())
        let outside = try TemporaryFolder()
        let picture = outside.path + "/OUTSIDE.png"
        try SampleImages.png(10, 10).write(to: URL(fileURLWithPath: picture))
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.path + "/link.png", withDestinationPath: picture)
        try files.createSymbolicLink(atPath: folder.path + "/linked", withDestinationPath: outside.path)
        try #require(mkfifo(folder.path + "/pipe.png", 0o600) == 0)
        for member in Self.refused {
            let line =
                #"{"kind":"status","author":"cleo","created_at":"2023-02-01T12:00:00Z","text":"x","media":[{"#
                + member + "}]}"
            let path = try Self.write(Self.lines + [line], in: folder)
            let done = try await server.process.admin("import", path)
            #expect(done.code == 1 && done.error.hasPrefix("error: line 5: "), "\(member): \(done.error)")
            #expect(done.error.contains("hint: Nothing was imported"), "\(member): \(done.error)")
            #expect(try await !server.process.admin("account", "list").text.contains("cleo"), "\(member)")
            #expect(try await server.statuses().isEmpty, "\(member)")
            _ = try await server.collect()
            #expect(server.blobs().isEmpty, "\(member)")
        }
        try await Self.expectNothingLeftOver(server)
    }

    /// The killed import is invisible, and the next one succeeds.
    @Test func killedImportLeavesNothing() async throws {
        let (server, folder) = (try await FileServer.start(), try Self.folder())
        let count = 40
        let more = (0..<count).map { number in
            #"{"kind":"status","author":"cleo","created_at":"2023-03-01T12:00:\#(10 + number)Z","#
                + #""text":"number \#(number)","media":[{"file":"\#(number).png"}]}"#
        }
        for number in 0..<count {
            try SampleImages.png(100 + number, 100).write(to: URL(fileURLWithPath: folder.path + "/\(number).png"))
        }
        let path = try Self.write(Self.lines + more, in: folder)
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for round in 0..<Soak.rounds(3, soaking: 30) {
            let blobs = Int.random(in: 0...count, using: &random)
            let command = ["import", path, "--data", server.process.data]
            let isKilled = try await KilledCommand.run(command) { server.blobs().count >= blobs }
            if !isKilled { break }
            guard try await server.process.admin("account", "list").text.contains("cleo") else { continue }
            // It was killed after it had published everything.
            let statuses = try await server.statuses(as: try await server.process.token("cleo"))
            #expect(statuses.count == count + 2, "seed \(seed), round \(round): a part is visible")
            break
        }
        let done = try await server.process.admin("import", path)
        #expect(done.code == 0, "\(done.error)")
        let statuses = try await server.statuses(as: try await server.process.token("cleo"))
        #expect(statuses.count == count + 2 && statuses.allSatisfy { !$0.mediaAttachments.isEmpty })
        try await Self.expectNothingLeftOver(server)
    }
}
