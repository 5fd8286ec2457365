import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Programs that monitor a transfer are told how it ended.
@Suite(.hangLimit)
struct ProgressTests {
    private static let size = 3 << 20

    /// A server, a login, and a file to transfer.
    private static func world() async throws -> (ServerProcess, ClientHome, path: String) {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let path = try home.folder.file("a.bin")
        try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: path))
        return (server, home, path)
    }

    @Test func lastLineReportsCompletion() async throws {
        let (server, home, path) = try await Self.world()
        let up = try await home.run("upload", path, "--progress", "json")
        try Self.check(up, verified: "size only")
        let down = try await home.run("download", "a.bin", "-o", "b.bin", "--progress", "json")
        try Self.check(down, verified: "sha-256 from the server")
        let plain = try await home.run("download", "a.bin", "-o", "c.bin", "--progress", "plain")
        let lines = plain.error.split(separator: "\n")
        #expect(lines.contains("3.0 MiB of 3.0 MiB") && lines.last?.hasPrefix("3.0 MiB, verified: ") == true)
        try await server.stop()
    }

    /// The complete bar has a line of its own, so the next output begins on a new line.
    @Test func barOfATerminalIsComplete() async throws {
        let (server, home, path) = try await Self.world()
        for arguments in [["upload", path], ["download", "a.bin", "-o", path + ".copy"]] {
            let (code, shown) = try await OutputTerminal.run(home, arguments, stream: .error)
            #expect(code == 0)
            let last = try #require(shown.components(separatedBy: "\u{1B}[K").last)
            let lines = last.components(separatedBy: "\n")
            #expect(lines.count > 1 && lines[0].contains("100%"), "\(shown.debugDescription)")
            #expect(lines[0].contains("3.0 MiB of 3.0 MiB"), "\(lines[0])")
        }
        try await server.stop()
    }

    /// Every line is an object, and the last one reports the end.
    private static func check(_ done: Finished, verified: String) throws {
        #expect(done.code == 0, "\(done.error)")
        let objects = try done.error.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        let last = try #require(objects.last)
        #expect(last["done"] as? Int == size && last["total"] as? Int == size)
        #expect(last["finished"] as? Bool == true && last["verified"] as? String == verified)
        #expect(objects.dropLast().allSatisfy { $0["finished"] == nil })
    }
}
