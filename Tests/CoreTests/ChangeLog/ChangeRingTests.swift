import Testing

@testable import FeedCore

struct ChangeRingTests {
    private static func change(_ sequence: Int64) -> Change {
        Change(sequence: sequence, kind: .statusCreated, subject: nil, account: nil, at: 0)
    }

    private static func sequences(_ ring: ChangeRing, after position: Int64, limit: Int = 100) -> [Int64]? {
        ring.rows(after: position, limit: limit)?.map(\.sequence)
    }

    @Test func rowsAfterAPositionAreReturnedInOrder() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(11), Self.change(14)], upTo: 14)
        // A reader that started earlier delivers some rows again.
        ring.append([Self.change(14), Self.change(15)], upTo: 15)
        #expect(Self.sequences(ring, after: 10) == [11, 14, 15])
        #expect(Self.sequences(ring, after: 12) == [14, 15])
        #expect(Self.sequences(ring, after: 15) == [])
    }

    @Test func unknownPositionsHaveNoRows() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(11)], upTo: 11)
        #expect(Self.sequences(ring, after: 9) == nil)
        #expect(Self.sequences(ring, after: 12) == nil)
        #expect(Self.sequences(ring, after: 10, limit: 0) == nil)
        ring.skip(to: 20)
        #expect(Self.sequences(ring, after: 11) == nil)
        #expect(Self.sequences(ring, after: 20) == [])
    }

    @Test func olderPositionsChangeNothing() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(9)], upTo: 9)
        ring.skip(to: 8)
        #expect(ring.last == 10 && Self.sequences(ring, after: 10) == [])
    }

    @Test func numberOfRowsIsBounded() {
        var ring = ChangeRing(at: 0)
        let end = Int64(5 * ChangeRing.capacity)
        for sequence in 1...end { ring.append([Self.change(sequence)], upTo: sequence) }
        #expect(Self.sequences(ring, after: end - 3) == [end - 2, end - 1, end])
        let oldest = end - Int64(ChangeRing.capacity)
        #expect(Self.sequences(ring, after: oldest, limit: .max)?.count == ChangeRing.capacity)
        #expect(Self.sequences(ring, after: 1, limit: .max) == nil)
    }
}
