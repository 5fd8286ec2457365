import FeedCore
import Testing

@Suite("Positions in the change log") struct ChangeCursorTests {
    private static let epoch = "0c1e7ad2-5b0e-4a53-8f59-6f1c9be8a0d1"

    @Test(
        arguments: [
            ("0", nil, 0), ("42", nil, 42), ("007", nil, 7), ("e-0", "e", 0), ("E9-17", "E9", 17),
            (epoch + "-5", epoch, 5),
            ("9223372036854775807", nil, .max), ("9223372036854775808", nil, .max),
            ("e-99999999999999999999999999", "e", .max), ("a--1", "a-", 1),
        ] as [(String, String?, Int64)])
    func positionIsParsed(_ text: String, _ epoch: String?, _ sequence: Int64) throws {
        #expect(try ChangeCursor(text) == ChangeCursor(epoch: epoch, sequence: sequence))
    }

    @Test(arguments: [
        "", "-", "-1", "e-", "e", "1-", "+1", "1.0", "1e3", " 1", "1 ", "e 1-1", "e_1-1", "é-1", "１", "e-１", "\u{0}1",
        String(repeating: "a", count: 200) + "-1", String(repeating: "1", count: 201),
    ]) func otherTextIsMalformed(_ text: String) {
        #expect { try ChangeCursor(text) } throws: { ($0 as? FeedError)?.kind == .malformed }
    }

    @Test func textOfAPositionIsParsedAgain() throws {
        let position = ChangePosition(epoch: Self.epoch, sequence: 12)
        #expect(position.formatted == Self.epoch + "-12")
        #expect(try ChangeCursor(position.formatted) == ChangeCursor(epoch: Self.epoch, sequence: 12))
    }
}

@Suite("What can be replayed") struct ChangeWindowTests {

    /// Rows 11 to 20 are left.
    private static let window = ChangeWindow(epoch: "e", pruned: 10, first: 11, last: 20)

    @Test(
        arguments: [
            (nil, 10, .replay(after: 10)), ("e", 10, .replay(after: 10)), (nil, 15, .replay(after: 15)),
            ("e", 20, .replay(after: 20)), ("e", 9, .resync), (nil, 0, .resync), ("e", 21, .resync),
            (nil, .max, .resync),
            ("f", 15, .resync), ("", 15, .resync),
        ] as [(String?, Int64, ChangeWindow.Start)])
    func onlyCompleteLogsAreReplayed(_ epoch: String?, _ sequence: Int64, _ start: ChangeWindow.Start) {
        #expect(Self.window.start(from: ChangeCursor(epoch: epoch, sequence: sequence)) == start)
    }

    @Test func emptyLogIsReplayedFromItsBeginning() {
        let window = ChangeWindow(epoch: "e")
        #expect(window.start(from: ChangeCursor(sequence: 0)) == .replay(after: 0))
        #expect(window.start(from: ChangeCursor(sequence: 1)) == .resync)
        #expect(window.end == ChangePosition(epoch: "e", sequence: 0))
    }

    /// The clock was set back, so a row was removed although an older one was kept.
    @Test func removedRowsBehindOlderOnesCount() {
        let window = ChangeWindow(epoch: "e", pruned: 15, first: 3, last: 20)
        #expect(window.start(from: ChangeCursor(sequence: 14)) == .resync)
        #expect(window.start(from: ChangeCursor(sequence: 15)) == .replay(after: 15))
    }

    /// Sequence numbers may have gaps, and the oldest row is all that is known of older databases.
    @Test func theOldestRowLimitsTheLog() {
        let window = ChangeWindow(epoch: "e", pruned: nil, first: 8, last: 20)
        #expect(window.start(from: ChangeCursor(sequence: 6)) == .resync)
        #expect(window.start(from: ChangeCursor(sequence: 7)) == .replay(after: 7))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max], [Int64.min, -1, 0, 1, .max])
    func extremeNumbersAreHarmless(_ one: Int64, _ other: Int64) {
        let window = ChangeWindow(epoch: "e", pruned: one, first: other, last: one)
        #expect(window.floor >= 0 && window.floor <= window.last)
        _ = window.start(from: ChangeCursor(sequence: other))
    }
}
