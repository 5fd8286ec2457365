import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct CommonHeadersTests {
    private static let now = 784_111_777

    @Test func responsesOfASecondShareTheirFields() {
        let current = CurrentHeaders()
        #expect(current.fields(.shared, now: Self.now) === current.fields(.shared, now: Self.now))
    }

    @Test func newSecondHasItsOwnDate() {
        let current = CurrentHeaders()
        let dates = [0, 0, 1].map { later in
            current.fields([], now: Self.now + later).fields.filter { $0.name == .date }.map(\.value)
        }
        #expect(
            dates == [
                ["Sun, 06 Nov 1994 08:49:37 GMT"], ["Sun, 06 Nov 1994 08:49:37 GMT"], ["Sun, 06 Nov 1994 08:49:38 GMT"],
            ])
    }

    @Test func kindsAreKeptApart() {
        let current = CurrentHeaders()
        let kinds = (0..<CommonHeaders.Kind.count).map { CommonHeaders.Kind(rawValue: $0) }
        for kind in kinds + kinds {
            let expected = CommonHeaders(kind, seconds: Self.now)
            #expect(current.fields(kind, now: Self.now).fields == expected.fields)
        }
        #expect(Set(kinds.map { CommonHeaders($0, seconds: Self.now).fields }).count == kinds.count)
    }
}
