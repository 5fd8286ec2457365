import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Pausing, resuming and cancelling, as in the tutorials, and the queue, with a real server.
@Suite(.hangLimit)
struct DownloadQueueTests {
    private static let bytes = Array(SampleBytes.make(2_000_000))

    private static var options: DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.stallTimeout) = (64 << 10, .seconds(Wait.seconds))
        return options
    }

    private static func progress(_ task: DownloadTask, to count: Int64) async {
        for await progress in task.progress where progress.done >= count { return }
    }

    @Test func downloadResumesAfterAPause() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.stallsAfter = 1_100_000 }
            let result = try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let task = try await queue.add(host.address, to: destination.path, options: Self.options)
                await Self.progress(task, to: 500_000)
                await task.pause()
                try await Wait.until("the download has stopped") {
                    (try? UnfinishedDownload(at: destination.path)) != nil
                }
                #expect(destination.names == ["file.bin.part", "file.bin.part.journal"])
                host.behave { $0.stallsAfter = .max }
                // A download that is added later runs next: the paused one neither occupies nor gets the only slot.
                let later = try await queue.add(host.address, to: destination.path + "2", options: Self.options)
                _ = try await later.result
                #expect(host.requests.count == 2, "a paused download sends requests")
                await task.resume()
                return try await task.result
            }
            #expect(result.resumedFrom >= 500_000 && destination.content == Self.bytes)
        }
    }

    /// Suspending a queue stops what runs and starts nothing; what was paused before stays paused.
    @Test func suspendedQueueContinuesWhereItWas() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.stallsAfter = 1_100_000 }
            let other = destination.folder.path + "/other.bin"
            try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let first = try await queue.add(host.address, to: destination.path, options: Self.options)
                let paused = try await queue.add(host.address, to: other + "2", options: Self.options)
                await paused.pause()
                await Self.progress(first, to: 500_000)
                await queue.suspend()
                try await Wait.until("the download has stopped") {
                    (try? UnfinishedDownload(at: destination.path)) != nil
                }
                host.behave { $0.stallsAfter = .max }
                let count = host.requests.count
                let later = try await queue.add(host.address, to: other, options: Self.options)
                #expect(host.requests.count == count, "a suspended queue sends requests")
                await queue.resume()
                #expect(try await later.result.size == Int64(Self.bytes.count))
                #expect(try await first.result.resumedFrom >= 500_000)
                #expect(!FileManager.default.fileExists(atPath: other + "2"))
            }
            #expect(destination.content == Self.bytes)
        }
    }

    @Test func cancelledDownloadFreesItsSlot() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.stallsAfter = 1 << 20 }
            let other = destination.folder.path + "/other.bin"
            try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let first = try await queue.add(host.address, to: destination.path, options: Self.options)
                let second = try await queue.add(host.address, to: other, options: Self.options)
                let third = try await queue.add(host.address, to: other + "2", options: Self.options)
                await Self.progress(first, to: 10_000)
                await third.cancel()
                await first.cancel()
                await #expect(throws: CancellationError.self) { try await first.result }
                await #expect(throws: CancellationError.self) { try await third.result }
                host.behave { $0.stallsAfter = .max }
                #expect(try await second.result.size == Int64(Self.bytes.count))
            }
            #expect(destination.content == nil && FileManager.default.fileExists(atPath: other))
        }
    }

    @Test func highestPriorityRunsFirst() async throws {
        try await FileHost.serving(Array(SampleBytes.make(50_000))) { host, destination in
            host.behave { $0.stallsAfter = 1000 }
            let order = try await destination.client.withDownloads(DownloadLimits(running: 1)) { queue in
                let names = ["first", "low", "normal", "high"]
                let priorities: [DownloadPriority] = [.normal, .low, .normal, .high]
                var tasks: [DownloadTask] = []
                for (name, priority) in zip(names, priorities) {
                    let task = try await queue.add(
                        host.address + "?" + name, to: destination.path + name, options: Self.options,
                        priority: priority)
                    if tasks.isEmpty { try await Wait.until("the first download runs") { host.active == 1 } }
                    tasks.append(task)
                }
                host.behave { $0.stallsAfter = .max }
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
        try await FileHost.serving(Self.bytes) { host, destination in
            // Otherwise, the first downloads might end before the last one is added.
            host.behave { $0.stallsAfter = 0 }
            try await destination.client.withDownloads(DownloadLimits(unfinished: 2)) { queue in
                for name in ["a", "b"] {
                    _ = try await queue.add(host.address, to: destination.path + name, options: Self.options)
                }
                await #expect(throws: FeedClientError.self) {
                    _ = try await queue.add(host.address, to: destination.path + "c", options: Self.options)
                }
            }
            host.behave { $0.stallsAfter = .max }
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

    @Test(arguments: 1...200)
    func nextDownloadHasTheHighestPriorityWithinTheLimits(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let limits = DownloadLimits(
            running: Int.random(in: 1...5, using: &random), perHost: Int.random(in: 1...3, using: &random))
        var (scheduler, waiting, lastID) = (QueueScheduler(limits), [Int: QueueScheduler.Entry](), 0)
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                lastID += 1
                let entry = QueueScheduler.Entry(
                    id: lastID, host: "h\(Int.random(in: 0..<3, using: &random))",
                    priority: DownloadPriority.allCases.randomElement(using: &random) ?? .normal)
                waiting[lastID] = entry
                scheduler.enqueue(entry)
            } else if let id = scheduler.running.keys.min() {
                scheduler.remove(id)
            }
            let full = scheduler.running.values
            guard let id = scheduler.next(), let entry = waiting.removeValue(forKey: id) else { continue }
            #expect(full.count < limits.running && full.count { $0 == entry.host } < limits.perHost)
            let better = waiting.values.filter { other in
                (other.priority > entry.priority || (other.priority == entry.priority && other.id < id))
                    && full.count { $0 == other.host } < limits.perHost
            }
            #expect(better.isEmpty, "seed \(seed)")
        }
    }

    @Test func raisedPriorityOvertakesTheQueue() {
        var scheduler = QueueScheduler(DownloadLimits(running: 1))
        for id in 1...3 { scheduler.enqueue(QueueScheduler.Entry(id: id, host: "h", priority: .normal)) }
        scheduler.setPriority(3, .high)
        #expect(scheduler.next() == 3)
        scheduler.remove(3)
        #expect(scheduler.next() == 1)
    }

    private enum Event: CaseIterable { case pause, resume, cancel, start, stopped, done }

    /// For random sequences of commands: a download is stopped at most once, and one that has ended stays ended.
    @Test(arguments: 1...500)
    func anyOrderOfCommandsIsValid(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (state, isQueued, stops, ends) = (DownloadTaskState.waiting, true, 0, 0)
        for _ in 0..<30 {
            let isRunning = if case .stopping = state { true } else { state == .running }
            let event = Event.allCases.randomElement(using: &random) ?? .pause
            let action: DownloadTaskState.Action
            switch event {
            case .pause: action = state.pause()
            case .resume: action = state.resume()
            case .cancel: action = state.cancel()
            case .start:
                guard isQueued else { continue }
                (isQueued, stops) = (false, 0)
                state.start()
                continue
            case .stopped, .done:
                guard isRunning, event == .done || stops > 0 else { continue }
                action = state.ended(wasStopped: event == .stopped)
            }
            switch action {
            case .enqueue: isQueued = true
            case .dequeue: isQueued = false
            case .stop: stops += 1
            case .finish:
                isQueued = false
                ends += 1
            case .nothing: break
            }
            #expect(stops <= 1 && ends <= 1 && (ends == 1) == (state == .finished))
            #expect(isQueued == (state == .waiting), "\(state)")
        }
    }
}
