import FeedClientKit
import FeedTestSupport
import Foundation
import TestKit

/// The folder of a test's downloads, and the client.
struct DownloadFolder: Sendable {
    let folder: TemporaryFolder
    let client: FeedClient

    private init() throws {
        folder = try TemporaryFolder()
        client = FeedClient(server: try ServerAddress("http://127.0.0.1:1"))
    }

    /// Runs `body` with a folder and a client, which is shut down afterwards, even if `body` throws.
    static func withTemporary<Value>(_ body: (DownloadFolder) async throws -> Value) async throws -> Value {
        let folder = try DownloadFolder()
        let result: Result<Value, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        await folder.client.shutdown()
        return try result.get()
    }

    var path: String { folder.path + "/file.bin" }

    var content: [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    /// The file names in the folder.
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []) }
}
