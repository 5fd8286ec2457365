import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver account remove`: its confirmation, and its effect on a running server.
@Suite(.hangLimit)
struct RemovalCommandTests {
    @Test func removalWithoutATerminalRequiresAFlag() async throws {
        let data = try await Self.folderWithAda()
        let refused = try await Tool.run(Programs.feedserver, ["account", "remove", "ada", "--data", data.path])
        #expect(refused.code == 64 && refused.error.contains("--yes is required"), "\(refused.error)")
        #expect(try await Self.list(data).contains("\"removed\":false"))
    }

    /// Anything but yes keeps the account.
    @Test(arguments: [("n\n", 1), ("\n", 1), ("maybe\n", 1), ("\u{4}", 1), ("y\n", 0), ("YES\n", 0)])
    func removalAsksForConfirmation(row: (keys: String, code: Int32)) async throws {
        let data = try await Self.folderWithAda()
        let (terminal, log) = (try PseudoTerminal(), try data.file("error", ""))
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments = ["account", "remove", "ada", "--data", data.path]
        process.standardInput = terminal.handle
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        func text() -> String { String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self) }
        try await Wait.until("the program asks") { text().contains("[y/N]") || !process.isRunning }
        #expect(text().contains("Remove ada with 0 statuses?"), "\(text())")
        terminal.type(row.keys)
        try await Wait.until("the program ends") { !process.isRunning }
        #expect(process.terminationStatus == row.code && process.terminationReason == .exit, "\(text())")
        #expect(text().contains(row.code == 0 ? "removed ada" : "nothing has been removed"), "\(text())")
        #expect(try await Self.list(data).contains("\"removed\":\(row.code == 0)"))
    }

    @Test func removedAccountIsGoneForGood() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let header = "Authorization: Bearer " + (try await server.token("ada"))
        _ = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: [header], body: Data("status=hello".utf8))
        _ = try await RawHTTP.send(
            port: server.port, "PUT", "/files/note.txt", headers: [header], body: Data("text".utf8))
        let removed = try await server.admin("account", "remove", "ADA", "--yes")
        #expect(removed.code == 0 && removed.error.contains("removed ada"), "\(removed.error)")
        let pages = [
            "/@ada", "/files/note.txt", "/avatars/ada", "/api/v1/accounts/lookup?acct=ada",
        ]
        for page in pages {
            try await Wait.until("\(page) is gone") {
                try await RawHTTP.send(port: server.port, "GET", page).status == 404
            }
        }
        try await Wait.until("the login is gone") {
            try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/home", headers: [header]).status == 401
        }
        try await Wait.until("the bytes of the file are gone") { Self.blobs(server.data).isEmpty }
        let again = try await server.admin("account", "remove", "ada", "--yes")
        #expect(again.code == 0 && again.error.contains("already been removed"), "\(again.error)")
        let taken = try await server.admin("account", "add", "Ada", "--password-stdin", input: "secretsecret\n")
        #expect(taken.code == 1 && taken.error.contains("is taken"), "\(taken.error)")
        for command in [["account", "unsuspend", "ada"], ["account", "suspend", "ada"], ["token", "create", "ada"]] {
            let done = try await Tool.run(Programs.feedserver, command + ["--data", server.data])
            #expect(done.code == 1 && done.error.contains("has been removed"), "\(done.error)")
        }
        let unknown = try await server.admin("account", "remove", "nobody", "--yes")
        #expect(unknown.code == 1 && unknown.error.contains("no such account"), "\(unknown.error)")
        try await server.stop()
    }

    private static func folderWithAda() async throws -> TemporaryFolder {
        let data = try TemporaryFolder()
        let added = try await Tool.run(
            Programs.feedserver, ["account", "add", "ada", "--password-stdin", "--data", data.path],
            input: Data("secretsecret\n".utf8))
        try #require(added.code == 0, "\(added.error)")
        return data
    }

    private static func list(_ data: TemporaryFolder) async throws -> String {
        try await Tool.run(Programs.feedserver, ["account", "list", "--json", "--data", data.path]).text
    }

    /// The stored blobs.
    private static func blobs(_ data: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: data + "/blobs")?.allObjects.compactMap { $0 as? String }
        return (all ?? []).filter { $0.split(separator: "/").last?.count == 64 }
    }
}
