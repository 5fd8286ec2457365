import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Ctrl-C and SIGTERM during an upload to a server that reads nothing.
@Suite(.hangLimit)
struct InterruptedUploadTests {
    @Test(arguments: [SIGINT, SIGTERM]) func uploadIsInterrupted(signal: Int32) async throws {
        let listener = try Sockets.listen()
        defer { close(listener) }
        let home = try ClientHome()
        let config = home.folder.path + "/config/feedclient"
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        let server = "http://127.0.0.1:\(try Sockets.port(of: listener))"
        let login = #"{"server":"\#(server)","username":"ada","credential":{"token":{"_0":"secret"}}}"#
        _ = try home.folder.file("config/feedclient/credentials.json", #"{"logins":[\#(login)]}"#)
        // More than the buffers of a connection hold.
        let path = try home.folder.file("large.bin", "")
        try #require(truncate(path, 64 << 20) == 0)
        let client = try RunningClient(home, "upload", path, "--progress", "json")
        try await Wait.until("the upload has begun") { client.error.contains("\"done\":") }
        #expect(try await client.stop(signal) == 130)
        // Progress of the same moment may follow.
        #expect(
            client.output.isEmpty && client.error.contains("\ninterrupted; the file is not stored\n"), "\(client.error)"
        )
        #expect(!client.error.contains("error: "))
    }
}
