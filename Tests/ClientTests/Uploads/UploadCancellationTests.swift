import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Uploads to a server that reads nothing, so that they can only be cancelled.
@Suite(.hangLimit)
struct UploadCancellationTests {
    enum Kind: CaseIterable, Sendable { case file, replacement, media }

    private static func send(
        _ path: String, _ kind: Kind, _ client: FeedClient, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        switch kind {
        case .file: _ = try await client.upload(path, progress: progress)
        case .replacement: _ = try await client.replaceFile(with: path, name: nil, progress: progress)
        case .media: _ = try await client.uploadMedia(MediaFile(path), progress: progress)
        }
    }

    @Test(arguments: Kind.allCases) func uploadCanBeCancelled(kind: Kind) async throws {
        let listener = Sockets.make()
        defer { close(listener) }
        try Sockets.bind(listener)
        try #require(listen(listener, 5) == 0)
        let folder = try TemporaryFolder()
        // More than the buffers of a connection hold.
        let path = try folder.file("large.bin", "")
        try #require(truncate(path, 64 << 20) == 0)
        let client = FeedClient(
            server: try ServerAddress("http://127.0.0.1:\(try Sockets.port(of: listener))"),
            credential: .token("secret"))
        let (sent, report) = AsyncStream.makeStream(of: Int64.self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { report.finish() }
                try await Self.send(path, kind, client) { report.yield($0) }
            }
            for await done in sent where done > 0 { break }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        await client.shutdown()
    }
}
