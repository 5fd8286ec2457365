import FeedCore
import Foundation
import Testing

/// All caches share one budget.
@Suite struct CacheBudgetTests {
    @Test(arguments: [0, 1, 63, 1 << 20, 192 << 20, 1 << 36, -1, .max]) func sharesFitIntoTheBudget(total: Int) {
        let budget = CacheBudget(total: total)
        let sum = CacheBudget.Share.allCases.reduce(0) { $0 + budget[$1] }
        #expect(sum <= max(0, total) && sum >= max(0, total) - 64)
    }

    @Test(arguments: [
        (total: 192 << 20, connections: 5, bytes: (36 << 20) / 5), (192 << 20, 1, 36 << 20), (192 << 20, 129, 1 << 20),
        (0, 5, 1 << 20), (1 << 20, 0, 1 << 20),
    ])
    func connectionsShareTheMemoryOfTheDatabase(total: Int, connections: Int, bytes: Int) {
        #expect(CacheBudget(total: total).page(ofConnections: connections) == bytes)
    }

    /// `Docs/operating.md` states what each cache gets.
    @Test func tableStatesTheShares() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/operating.md"), encoding: .utf8)
        let budget = Limits().caches
        #expect(text.contains("`cacheBytes` | \(budget.total) |"))
        for share in CacheBudget.Share.allCases {
            let row = "| `\(share)` | \(budget[share] >> 20) MiB |"
            #expect(text.contains(row), "\(row)")
        }
    }
}
