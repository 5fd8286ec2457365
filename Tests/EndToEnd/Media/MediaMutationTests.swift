import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import TestKit
import Testing

/// Mutated images in the real process: it may crash, but the pool always gets an answer.
@Suite(.hangLimit) struct MediaMutationTests {
    private static let lanes = 4

    @Test func everyMutatedImageIsProcessedOrRefused() async throws {
        let seed = Soak.seed
        let folder = try TemporaryFolder()
        let blobs = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        var settings = MediaPool.Settings()
        (settings.processes, settings.program) = (Self.lanes, Programs.feedserver)
        let pool = MediaPool(blobs: blobs, settings: settings)
        let rounds = Soak.rounds(500, soaking: 100_000) / Self.lanes
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    let path = try folder.file("upload-\(lane)")
                    var mutator = Mutator(
                        seed: seed &+ UInt64(lane), fragments: ["\u{0}\u{0}\u{0}", "IDAT", "ANMF", "VP8L", "\u{7F}"])
                    for round in 0..<rounds {
                        let image = mutator.mutated(Array(mutator.one(of: SampleImages.all)))
                        try Data(image).write(to: URL(fileURLWithPath: path))
                        await Self.check(pool, path, "seed \(seed), lane \(lane), round \(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp").isEmpty)
    }

    private static func check(_ pool: MediaPool, _ path: String, _ name: String) async {
        do {
            let processed = try await pool.process(path, limits: MediaLimits())
            #expect(processed.content.size > 0, "\(name)")
        } catch {
            #expect((error as? FeedError)?.kind == .invalid, "\(name): \(error)")
        }
    }
}
