import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit

/// Pausing, resuming and cancelling, as in the tutorials, and the queue, with a real server.
@Suite(.timeLimit(.minutes(15)))
struct DownloadQueueTests {
    private static let bytes = Array(SampleBytes.make(2_000_000))

    private static func progress(_ task: DownloadTask, to count: Int64) async {
        for await progress in task.progress where progress.done >= count { return }
    }

    @Test func downloadResumesAfterAPause() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.limit(2_000_000)
            let result = try await destination.client.withDownloads { queue in
                var options = DownloadOptions()
                options.chunkSize = 64 << 10
                let task = try await queue.add(host.address, to: destination.path, options: options)
                await Self.progress(task, to: 500_000)
                await task.pause()
                while destination.names != ["file.bin.part", "file.bin.part.journal"] {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let before = host.requests.count
                try await Task.sleep(for: .milliseconds(200))
                #expect(host.requests.count == before, "a paused download sends requests")
                host.limit(0)
                await task.resume()
                return try await task.result
            }
            #expect(result.resumedFrom >= 500_000 && destination.content == Self.bytes)
        }
    }

    @Test func cancelledDownloadFreesItsSlot() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.limit(200_000)
            let other = destination.folder.path + "/other.bin"
            try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let first = try await queue.add(host.address, to: destination.path)
                let second = try await queue.add(host.address, to: other)
                let third = try await queue.add(host.address, to: other + "2")
                await Self.progress(first, to: 10_000)
                await third.cancel()
                await first.cancel()
                await #expect(throws: CancellationError.self) { try await first.result }
                await #expect(throws: CancellationError.self) { try await third.result }
                host.limit(0)
                #expect(try await second.result.size == Int64(Self.bytes.count))
            }
            #expect(destination.content == nil && FileManager.default.fileExists(atPath: other))
        }
    }

    @Test func highestPriorityRunsFirst() async throws {
        try await FileHost.serving(Array(SampleBytes.make(50_000))) { host, destination in
            host.limit(100_000)
            let order = try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let names = ["first", "low", "normal", "high"]
                let priorities: [DownloadPriority] = [.normal, .low, .normal, .high]
                var tasks: [DownloadTask] = []
                for (name, priority) in zip(names, priorities) {
                    let task = try await queue.add(
                        host.address + "?" + name, to: destination.path + name, priority: priority)
                    if tasks.isEmpty { await Self.progress(task, to: 1) }
                    tasks.append(task)
                }
                for task in tasks { _ = try await task.result }
                return host.requests.count
            }
            #expect(order == 4)
            let dates = try ["first", "high", "normal", "low"].map {
                try #require(
                    FileManager.default.attributesOfItem(atPath: destination.path + $0)[.modificationDate] as? Date)
            }
            #expect(dates == dates.sorted())
        }
    }

    @Test func fullQueueRejectsDownloads() async throws {
        try await DownloadDestination.withTemporary { destination in
            try await destination.client.withDownloads(DownloadLimits(unfinished: 2)) { queue in
                for name in ["a", "b"] {
                    _ = try await queue.add("http://127.0.0.1:1/" + name, to: destination.path + name)
                }
                await #expect(throws: FeedClientError.self) {
                    _ = try await queue.add("http://127.0.0.1:1/c", to: destination.path + "c")
                }
            }
        }
    }

    /// For random sequences of commands: every caller that waits for a result gets one.
    @Test(arguments: 1...12)
    func everyCallerGetsAResult(_ seed: Int) async throws {
        try await FileHost.serving(Array(SampleBytes.make(300_000))) { host, destination in
            host.limit(1_500_000)
            try await destination.client.withDownloads(DownloadLimits(running: 3, perHost: 2)) { queue in
                var random = SplitMix64(seed: seed)
                var tasks: [DownloadTask] = []
                for index in 0..<6 {
                    tasks.append(try await queue.add(host.address, to: destination.path + "\(index)"))
                }
                for _ in 0..<40 {
                    guard let task = tasks.randomElement(using: &random) else { continue }
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: await task.cancel()
                    case 1...3: await task.pause()
                    case 4: await task.setPriority(.high)
                    default: await task.resume()
                    }
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
                }
                for (index, task) in tasks.enumerated() {
                    await task.resume()
                    do {
                        let path = try await task.result.path
                        #expect(FileManager.default.contents(atPath: path).map { Array($0) } == host.bytes, "\(index)")
                    } catch {
                        #expect(error is CancellationError, "\(index): \(error)")
                    }
                }
            }
        }
    }
}
