import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The documented demo password works only on servers that no other machine can reach.
@Suite(.hangLimit)
struct DemoPasswordTests {
    private static let documented = "feed-demo"

    @Test func failedStartDoesNotChangeThePassword() async throws {
        let server = try await ServerProcess.start(["--demo", "--host", "0.0.0.0"])
        let password = try Self.printed(by: server)
        let second = try await Tool.run(
            Programs.feedserver,
            ["serve", "--demo", "--host", "0.0.0.0", "--port", "\(server.port)", "--data", server.data])
        #expect(
            second.code == 1 && second.error.contains("already being served") && !second.error.contains("log in as"))
        #expect(try await Self.logIn(to: server, with: password) == 200)
        #expect(try await Self.logIn(to: server, with: Self.documented) == 401)
    }

    @Test func reachableServerGetsARandomPassword() async throws {
        let folder = try TemporaryFolder()
        let rows: [(arguments: [String], isDocumented: Bool)] = [
            ([], true), (["--base-url", "http://localhost:8080"], true), (["--base-url", "http://[::1]/"], true),
            (["--base-url", "https://feed.example"], false), (["--base-url", "http://127.feed.example"], false),
            (["--host", "0.0.0.0", "--base-url", "http://127.0.0.1"], false), (["--host", "127.0.0.2"], true),
        ]
        for row in rows {
            let server = try await ServerProcess.start(folder: folder, ["--demo"] + row.arguments)
            let password = try Self.printed(by: server)
            #expect((password == Self.documented) == row.isDocumented, "\(row.arguments)")
            if !row.arguments.contains("127.0.0.2") {
                let status = try await Self.logIn(to: server, with: Self.documented)
                #expect(status == (row.isDocumented ? 200 : 401), "\(row.arguments)")
            }
            try await server.stop()
        }
    }

    @Test(arguments: [
        (["--host", "0.0.0.0"], "http://127.0.0.1:PORT"), ([], "http://127.0.0.1:PORT"),
        (["--host", "0.0.0.0", "--base-url", "https://feed.example/"], "https://feed.example"),
    ])
    func addressForABrowserCanBeOpened(arguments: [String], address: String) async throws {
        let server = try await ServerProcess.start(["--demo"] + arguments)
        let link = address.replacing("PORT", with: "\(server.port)")
        #expect(
            server.log.contains("open \(link) in a browser") && server.log.contains("feedclient login \(link), "),
            "\(server.log)")
    }

    private static func printed(by server: ServerProcess) throws -> String {
        let line = try #require(server.log.split(separator: "\n").last { $0.contains("log in as demo with ") })
        return try #require(line.split(separator: " ").last.map(String.init))
    }

    /// - Returns: The status code.
    private static func logIn(to server: ServerProcess, with password: String) async throws -> Int {
        try await RawHTTP.send(port: server.port, "GET", "/ViewStatus.aspx?userName=demo&password=\(password)").status
    }
}
