import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `download A B C` and `-i LIST` against the real server.
@Suite(.hangLimit)
struct BatchDownloadTests {
    private let server: ServerProcess
    private let home: ClientHome
    private let folder: String

    init() async throws {
        server = try await ServerProcess.start()
        try await server.addAccount("ada")
        home = try ClientHome()
        _ = try await home.login(server, "ada")
        for name in ["a.txt", "b.txt", "c.txt"] {
            #expect(try await home.run("upload", try home.folder.file(name, "content of " + name)).code == 0)
            try FileManager.default.removeItem(atPath: home.folder.path + "/" + name)
        }
        folder = home.folder.path + "/down"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func filesOfArgumentsAndListAreDownloaded() async throws {
        let list = try home.folder.file("list", "# the others\n\n\(server.address)/files/b.txt\r\nc.txt\n")
        let done = try await home.run("download", "a.txt", "-i", list, "-o", folder, "--progress", "json")
        #expect(done.code == 0, "\(done.error)")
        #expect(
            Set(done.text.split(separator: "\n").map(String.init))
                == Set(["a", "b", "c"].map { folder + "/\($0).txt" }))
        for name in ["a.txt", "b.txt", "c.txt"] { #expect(content(name) == "content of " + name) }
        // One progress for all: the sizes are added.
        let last = try #require(done.error.split(separator: "\n").last)
        #expect(last.hasPrefix(#"{"done":48,"total":48,"base":0,"finished":true"#), "\(done.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }

    @Test func listIsContinued() async throws {
        let list = "a.txt\nb.txt\n"
        #expect(try await home.run("download", "a.txt", "-o", folder).code == 0)
        try Data("changed".utf8).write(to: URL(fileURLWithPath: folder + "/a.txt"))
        let done = try await home.run("download", "-i", "-", "-o", folder, "--json", input: list)
        #expect(done.error.contains("a.txt exists already"), "\(done.error)")
        #expect(try done.objects().map { $0["path"] as? String } == [folder + "/b.txt"])
        #expect(content("a.txt") == "changed" && content("b.txt") == "content of b.txt")
        #expect(try await home.run("download", "-i", "-", "-o", folder, "--restart", input: list).code == 0)
        #expect(content("a.txt") == "content of a.txt")
    }

    @Test func failuresDoNotStopTheOthers() async throws {
        let some = try await home.run("download", "a.txt", "missing.txt", "ftp://x/y", "-o", folder)
        #expect(some.code == 6 && content("a.txt") != nil, "\(some.error)")
        #expect(some.error.contains("missing.txt: ") && some.error.contains("ftp://x/y: "), "\(some.error)")
        #expect(try await home.run("download", "missing.txt", "gone.txt", "-o", folder).code == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.txt"])
    }

    @Test func unusableArgumentsAreRefused() async throws {
        let digest = "sha-256:" + String(repeating: "0", count: 64)
        for arguments in [
            ["a.txt", "b.txt", "-o", home.folder.path + "/none"], ["a.txt", "b.txt", "--checksum", digest],
            ["-i", "list", "--resume", "x"], [], ["a.txt", ""],
        ] {
            #expect(try await home.run(["download"] + arguments).code == 2, "\(arguments)")
        }
        #expect(try await home.run("download", "-i", "/missing").code == 3)
        #expect(try await home.run("download", "-i", "-", input: "# nothing\n").code == 1)
    }
}
