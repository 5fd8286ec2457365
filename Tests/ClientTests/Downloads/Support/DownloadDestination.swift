import FeedClientKit
import FeedTestSupport
import Foundation
import TestKit

/// The destination of a test's downloads.
struct DownloadDestination: Sendable {
    let folder: TemporaryFolder
    let client: FeedClient

    private init() throws {
        folder = try TemporaryFolder()
        client = FeedClient(server: try ServerAddress("http://127.0.0.1:1"))
    }

    /// Runs `body` with a folder and a client, which is shut down afterwards, even if `body` throws.
    static func withTemporary<Value>(_ body: (DownloadDestination) async throws -> Value) async throws -> Value {
        let destination = try DownloadDestination()
        let result: Result<Value, any Error>
        do { result = .success(try await body(destination)) } catch { result = .failure(error) }
        await destination.client.shutdown()
        return try result.get()
    }

    var path: String { folder.path + "/file.bin" }

    var content: [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    /// The file names in the folder.
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []) }
}
