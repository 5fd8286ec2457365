import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite struct QueueSchedulerTests {
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
}
