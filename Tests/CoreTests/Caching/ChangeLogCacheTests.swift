import Synchronization
import TestKit
import Testing

@testable import FeedCore

final class ChangeLogCacheTests: Sendable {
    private let log = RecentChanges(epoch: "e", sequence: 5)
    private let made = Mutex(0)
    private let entered = Mutex(false)

    /// A value that shows the account 1.
    private static var dependencies: CacheInvalidation {
        var dependencies = CacheInvalidation()
        dependencies.accounts = [1]
        return dependencies
    }

    private func ask(_ cache: ChangeLogCache<String, Int>, _ key: String) async throws -> Int {
        try await cache.value(for: key) {
            made.withLock {
                $0 += 1
                return ($0, Self.dependencies)
            }
        }
    }

    /// Appends a row that concerns an account.
    private func change(account: Int64, _ kind: Change.Kind = .accountUpdated) {
        let sequence = log.sequence + 1
        log.append(
            [Change(sequence: sequence, kind: kind, subject: account, account: account, at: 0)], upTo: sequence)
    }

    @Test func valueIsCachedUntilAChangeAffectsIt() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        #expect(try await ask(cache, "a") == 1)
        change(account: 2)
        #expect(try await ask(cache, "a") == 1)
        change(account: 1)
        #expect(try await ask(cache, "a") == 2)
        change(account: 3)
        #expect(try await ask(cache, "a") == 2)
    }

    /// A value may be computed from the one that changes have affected, as long as all of these are known.
    @Test func staleValueIsGivenToItsSuccessor() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        var dependencies = Self.dependencies
        dependencies.authors = .accounts([1])
        /// What is known about the value when it is computed again, at the current position and beside it.
        func ask() async throws -> [[Int64]?] {
            let found = Mutex<[[Int64]?]>([])
            _ = try await cache.value(
                for: "a",
                refresh: { [log, dependencies] stale in
                    guard let stale else { return (0, dependencies) }
                    found.withLock { found in
                        found = [-1, 0, 1].map { stale.additions(upTo: log.sequence + $0, in: log)?.ids }
                    }
                    return (stale.value + 1, dependencies)
                })
            return found.withLock(\.self)
        }
        #expect(try await ask() == [])
        change(account: 1, .statusCreated)
        change(account: 1, .boosted)
        #expect(try await ask() == [[1], [1, 1], nil])
        #expect(try await ask() == [] && cache.cached("a") == 1)
        change(account: 1, .unboosted)
        #expect(try await ask() == [[], nil, nil])
        log.advance(to: log.sequence + 1)
        #expect(try await ask() == [nil, nil, nil])
        for _ in 0..<1025 { change(account: 1, .statusCreated) }
        #expect(try await ask() == [nil, nil, nil])
        log.restart(epoch: "f", at: log.sequence)
        #expect(try await ask() == [nil, nil, nil] && cache.cached("a") == 5)
    }

    /// A value of a snapshot is the same at positions between which no change affects it, and known changes only.
    @Test func valuesOfSnapshotsAreExact() {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        for account: Int64 in [2, 3, 1, 2] { change(account: account) }
        // The account 1 was changed by row 8.
        func values(_ keys: [String], at position: Int64) -> [Int?] { cache.values(for: keys, at: position) }
        cache.insert(1, for: "a", cost: 1, Self.dependencies, at: 7, generation: log.generation)
        #expect(values(["a", "b"], at: 7) == [1, nil])
        #expect(values(["a"], at: 6) == [1] && values(["a"], at: 5) == [1])
        #expect(values(["a"], at: 8) == [nil] && values(["a"], at: 9) == [nil])
        cache.insert(2, for: "a", cost: 1, Self.dependencies, at: 8, generation: log.generation)
        #expect(values(["a"], at: 7) == [nil] && values(["a"], at: 8) == [2] && values(["a"], at: 9) == [2])
        // Rows that are not known yet, although another process has stored them.
        #expect(values(["a"], at: 10) == [nil] && values(["a"], at: 9) == [2])
        cache.insert(3, for: "b", cost: 1, Self.dependencies, at: 10, generation: log.generation)
        #expect(values(["b"], at: 10) == [3] && values(["b"], at: 9) == [nil])
        change(account: 4)
        #expect(values(["b", "a"], at: 10) == [3, 2] && values(["b"], at: 9) == [3])
        log.restart(epoch: "f", at: 10)
        #expect(values(["a", "b"], at: 10) == [nil, nil])
    }

    /// Those that are not cached are computed by one call.
    @Test func valuesAreComputedTogether() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        let asked = Mutex<[[String]]>([])
        @Sendable func ask(_ keys: [String]) async throws -> [String: Int] {
            try await cache.values(for: keys) { missing in
                asked.withLock { $0.append(missing) }
                // Not every key has a value.
                return Dictionary(
                    missing.filter { $0 != "none" }.map { ($0, ($0.utf8.count, Self.dependencies)) }
                ) { first, _ in first }
            }
        }
        #expect(try await ask(["a", "bb"]) == ["a": 1, "bb": 2])
        #expect(try await ask(["a", "none", "bb", "ccc"]) == ["a": 1, "bb": 2, "ccc": 3])
        #expect(try await ask([]).isEmpty)
        #expect(try await cache.value(for: "ccc") { (0, Self.dependencies) } == 3)
        change(account: 2)
        #expect(try await ask(["a", "bb", "ccc"]).count == 3)
        change(account: 1)
        #expect(try await ask(["a", "bb"]) == ["a": 1, "bb": 2])
        #expect(asked.withLock { $0 } == [["a", "bb"], ["none", "ccc"], ["a", "bb"]])
    }

    /// A change during the computation may not be part of the values.
    @Test func valuesAreNotNewerThanTheirQuery() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        for number in 1...2 {
            let found = try await cache.values(for: ["a"]) { [self] _ in
                change(account: 1)
                return ["a": (number, Self.dependencies)]
            }
            #expect(found == ["a": number])
        }
    }

    @Test func valueIsNotUsedAfterUnknownChanges() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        #expect(try await ask(cache, "a") == 1)
        log.advance(to: 6)
        #expect(try await ask(cache, "a") == 2)
        log.advance(to: 4)
        #expect(try await ask(cache, "a") == 2)
        log.restart(epoch: "f", at: 3)
        #expect(try await ask(cache, "a") == 3)
    }

    @Test func manyChangesAreNotChecked() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        #expect(try await ask(cache, "a") == 1)
        for _ in 0..<1024 { change(account: 2) }
        #expect(try await ask(cache, "a") == 1)
        for _ in 0..<1025 { change(account: 2) }
        #expect(try await ask(cache, "a") == 2)
    }

    /// Whoever returns after many posts need not log in again, nor whoever posts.
    @Test func loginsAndFiltersStayValidDuringAnyNumberOfOtherChanges() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        @Sendable func ask() async throws -> Int {
            try await cache.value(for: "a") {
                made.withLock {
                    $0 += 1
                    var dependencies = CacheInvalidation()
                    (dependencies.login, dependencies.filters) = (.account(1), 1)
                    return ($0, dependencies)
                }
            }
        }
        #expect(try await ask() == 1)
        for _ in 0..<3000 { change(account: 1, .statusCreated) }
        #expect(try await ask() == 1)
        for (number, kind) in [Change.Kind.tokenRevoked, .accountUpdated, .filterChanged].enumerated() {
            change(account: 2, kind)
            #expect(try await ask() == number + 1)
            change(account: 1, kind)
            for _ in 0..<3000 { change(account: 1, .statusCreated) }
            #expect(try await ask() == number + 2)
        }
        log.advance(to: log.sequence + 1)
        #expect(try await ask() == 5)
    }

    /// The value may lack the concurrent change, so it is not used again.
    @Test func valueComputedDuringAChangeIsUsedOnce() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        let first = try await cache.value(for: "a") {
            change(account: 1)
            return (-1, Self.dependencies)
        }
        #expect(first == -1)
        #expect(try await ask(cache, "a") == 1)
    }

    @Test func concurrentCallersComputeAValueOnce() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { [self] in
                try await cache.value(for: "a") {
                    entered.withLock { $0 = true }
                    // Long enough for the others to arrive; they are right in any case.
                    for _ in 0..<1000 { await Task.yield() }
                    return (7, Self.dependencies)
                }
            }
            try await Wait.until("the first caller computes") { entered.withLock { $0 } }
            for _ in 0..<20 { group.addTask { try await self.ask(cache, "a") } }
            for try await value in group { #expect(value == 7) }
        }
        #expect(made.withLock { $0 } == 0)
    }

    /// A failure is not cached, and the callers that waited compute the value themselves.
    @Test func failureIsNotShared() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        await #expect(throws: FeedError.self) { _ = try await cache.value(for: "a") { throw FeedError.notFound } }
        #expect(try await ask(cache, "a") == 1)
    }

    @Test func totalCostIsBounded() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 8)
        for number in 0..<100 { _ = try await ask(cache, "\(number)") }
        #expect((0..<100).filter { cache.cached("\($0)") != nil }.count <= 8)
        #expect(cache.cached("99") == 100)
        let large = try await cache.value(for: "large", cost: { _ in 3 }) { (1, Self.dependencies) }
        #expect(large == 1 && cache.cached("large") == nil)
    }

    /// The accounts that a page depends on may take more memory than the page.
    @Test func accountsOfAPageCountTowardTheLimit() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 8000)
        for number in 0..<20 {
            _ = try await cache.value(for: "\(number)") {
                var dependencies = CacheInvalidation()
                dependencies.authors = .accounts(Set(0..<100))
                return (number, dependencies)
            }
        }
        #expect((1...4).contains((0..<20).count { cache.cached("\($0)") != nil }))
        #expect(cache.cached("19") == 19)
    }

    /// Values in use stay while others come and go.
    @Test func usedValuesAreKept() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 8)
        #expect(try await ask(cache, "used") == 1)
        for number in 0..<100 {
            _ = try await ask(cache, "\(number)")
            #expect(try await ask(cache, "used") == 1)
        }
    }
}
