import FeedCore
import Testing

struct FairQueueTests {
    private static func queue(_ owners: String) -> FairQueue<Character, UInt64> {
        var queue = FairQueue<Character, UInt64>()
        for (index, owner) in owners.enumerated() { queue.append(UInt64(index), number: UInt64(index), of: owner) }
        return queue
    }

    private static func rest(of queue: FairQueue<Character, UInt64>) -> [UInt64] {
        var queue = queue
        var found: [UInt64] = []
        while let next = queue.next() { found.append(next) }
        return found
    }

    @Test(
        arguments: [
            ("", []), ("aaa", [0, 1, 2]), ("abc", [0, 1, 2]), ("aaab", [0, 3, 1, 2]), ("aabbc", [0, 2, 4, 1, 3]),
        ] as [(String, [UInt64])]) func ownersTakeTurns(owners: String, order: [UInt64])
    {
        #expect(Self.rest(of: Self.queue(owners)) == order)
    }

    @Test func newElementOfAnOwnerComesAfterTheOthers() {
        var queue = Self.queue("ab")
        #expect(queue.next() == 0)
        queue.append(2, number: 2, of: "a")
        queue.append(3, number: 3, of: "b")
        #expect(Self.rest(of: queue) == [1, 2, 3])
    }

    @Test func removedElementsAreSkipped() {
        var queue = Self.queue("aaabbc")
        for (number, owner) in [(0, "a"), (1, "a"), (2, "a"), (4, "b")] as [(UInt64, Character)] {
            #expect(queue.remove(number, of: owner) == number)
            #expect(queue.remove(number, of: owner) == nil)
        }
        #expect(queue.remove(5, of: "b") == nil)
        #expect(queue.remove(5, of: "d") == nil)
        #expect(queue.count == 2)
        // An owner whose elements have all been removed has one turn at a time, too.
        queue.append(6, number: 6, of: "a")
        queue.append(7, number: 7, of: "a")
        #expect(Self.rest(of: queue) == [6, 3, 5, 7])
    }

    /// More elements and owners than are kept after they have been removed.
    @Test func manyElementsKeepTheirOrder() {
        var queue = FairQueue<UInt64, UInt64>()
        var (added, found): (UInt64, [UInt64]) = (0, [])
        for round in 0..<2000 {
            for _ in 0..<(round < 1000 ? 3 : 1) {
                queue.append(added, number: added, of: added)
                added += 1
            }
            if let next = queue.next() { found.append(next) }
        }
        while let next = queue.next() { found.append(next) }
        #expect(found == Array(0..<added) && queue.count == 0)
    }
}
