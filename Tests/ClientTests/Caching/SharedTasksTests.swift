import FeedTestSupport
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// A counter for concurrent tasks.
private final class Counter: Sendable {
    private let state = Mutex((now: 0, peak: 0))

    var peak: Int { state.withLock { $0.peak } }

    func add(_ change: Int) {
        state.withLock { state in
            state.now += change
            state.peak = max(state.peak, state.now)
        }
    }
}

@Suite(.hangLimit)
struct SharedTasksTests {
    /// A thousand waiters, some of which are cancelled: each ends once, and the others get the value.
    @Test func remainingWaitersGetTheValue() async {
        let work = SharedTasks<Int>()
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for round in 0..<100 {
            let tasks = (0..<10).map { _ in
                let pause = Duration.microseconds(Int.random(in: 0...300, using: &random))
                return Task {
                    try await work.value(for: "key") {
                        try await Task.sleep(for: pause)
                        return round
                    }
                }
            }
            let cancelled = Set((0..<10).filter { _ in Bool.random(using: &random) })
            for index in cancelled.sorted().shuffled(using: &random) {
                if Bool.random(using: &random) { await Task.yield() }
                tasks[index].cancel()
            }
            for (index, task) in tasks.enumerated() {
                let result = await task.result
                switch result {
                case .success(let value): #expect(value == round, "seed \(seed)")
                case .failure(let error):
                    #expect(error is CancellationError && cancelled.contains(index), "round \(round) of seed \(seed)")
                }
            }
            #expect(work.waiterCount(for: "key") == 0, "round \(round) of seed \(seed)")
        }
    }

    @Test func cancelledCallerStartsNoWork() async {
        let work = SharedTasks<Int>()
        let runs = Counter()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await work.value(for: "key") {
                runs.add(1)
                return 1
            }
        }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(runs.peak == 0)
        #expect(work.waiterCount(for: "key") == 0)
    }

    @Test func cancellingTheLastWaiterCancelsTheWork() async throws {
        let work = SharedTasks<Int>()
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            try await work.value(for: "key") {
                sink.yield("begun")
                do {
                    try await Task.sleep(for: .seconds(600))
                } catch {
                    sink.yield("cancelled")
                    sink.finish()
                    throw error
                }
                return 1
            }
        }
        var seen: [String] = []
        for await event in events {
            seen.append(event)
            if event == "begun" { task.cancel() }
        }
        #expect(seen == ["begun", "cancelled"])
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func requestSlotsAreNeitherExceededNorLost() async throws {
        let limiter = AvatarRequestLimiter(3, perHost: 2)
        let (busy, host) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task {
                        try await limiter.run(index.isMultiple(of: 2) ? "a" : "b\(index)") {
                            busy.add(1)
                            if index.isMultiple(of: 2) { host.add(1) }
                            await Task.yield()
                            if index.isMultiple(of: 2) { host.add(-1) }
                            busy.add(-1)
                        }
                    }
                    if index.isMultiple(of: 3) { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(busy.peak <= 3 && host.peak <= 2)
        let inner = try await limiter.run("a") {
            try await limiter.run("a") { try await limiter.run("b") { busy.peak } }
        }
        #expect(inner == busy.peak)
    }

    /// A request to another host passes those that wait for a slow one, and a cancelled one stops waiting.
    @Test func slowHostDelaysNoOther() async throws {
        let limiter = AvatarRequestLimiter(3, perHost: 1)
        try await limiter.run("slow") {
            let waiting = Task { try await limiter.run("slow") { 1 } }
            let found = try await limiter.run("fast") { try await limiter.run("faster") { 2 } }
            #expect(found == 2)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(try await limiter.run("slow") { 3 } == 3)
    }
}
