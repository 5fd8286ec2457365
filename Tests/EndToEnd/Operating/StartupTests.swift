import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The cost of a start, which must not grow with the feed.
@Suite(.hangLimit)
struct StartupTests {
    /// Far less than the database has, and more than everything else that a server reads.
    private static let maximumBytes = 16 << 20

    @Test func largeDatabaseIsNotReadBeforeTheFirstAnswer() async throws {
        let folder = try TemporaryFolder()
        try await LargeFeed.make(in: folder, bytes: 96 << 20)
        // Maintenance reads the database, but not before this time.
        let server = try await ServerProcess.start(folder: folder, environment: ["FEED_TIMEOUT": "3600"])
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public")
        #expect(response.status == 200)
        let bytes = try #require(server.bytesRead)
        #expect(bytes < Self.maximumBytes, "\(bytes)")
        #expect(try await server.stop() == 0)
    }

    /// Small databases are still checked page by page, and refused if they are damaged (`ServerShutdownTests`).
    @Test func smallDatabaseIsReadBeforeTheFirstAnswer() async throws {
        let folder = try TemporaryFolder()
        try await LargeFeed.make(in: folder, bytes: 8 << 20)
        let server = try await ServerProcess.start(folder: folder)
        let bytes = try #require(server.bytesRead)
        #expect(bytes > 8 << 20 && bytes < 2 * Self.maximumBytes, "\(bytes)")
        #expect(try await server.stop() == 0)
    }
}
