import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The files of `--well-known` are read at the start and on SIGHUP.
@Suite(.hangLimit)
struct WellKnownReloadTests {
    private static let path = "/.well-known/apple-app-site-association"

    @Test func filesAreReadAtTheStartAndOnSIGHUP() async throws {
        let folder = try TemporaryFolder()
        let files = try TemporaryFolder()
        _ = try files.file("apple-app-site-association", "{\"applinks\":{}}")
        _ = try files.file("secret.txt", "outside")
        let server = try await ServerProcess.start(folder: folder, ["--well-known", files.path])
        let file = try await RawHTTP.send(port: server.port, "GET", Self.path)
        #expect(file.status == 200 && file.text == "{\"applinks\":{}}")
        #expect(file.headers["content-type"] == "application/json")
        for path in ["/.well-known/../etc/passwd", "/.well-known/%2e%2e/etc/passwd", "/.well-known/..%2fsecret.txt"] {
            #expect(try await RawHTTP.send(port: server.port, "GET", path).status >= 400, "\(path)")
        }
        _ = try files.file("apple-app-site-association", "{\"applinks\":{\"details\":[]}}")
        kill(server.processID, SIGHUP)
        try await Wait.until("the files are read") { server.log.contains("files of --well-known reloaded") }
        #expect(try await RawHTTP.send(port: server.port, "GET", Self.path).text.contains("details"))
        #expect(try await server.stop() == 0)
    }

    @Test func missingFolderIsNamed() async throws {
        let folder = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver, ["serve", "--data", folder.path, "--port", "0", "--well-known", "/nowhere"])
        #expect(done.code != 0 && done.error.contains("/nowhere"), "\(done.error)")
    }
}
