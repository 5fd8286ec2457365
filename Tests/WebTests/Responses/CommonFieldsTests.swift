import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct CommonFieldsTests {
    private static let now = 784_111_777

    @Test func responsesOfASecondShareTheirFields() {
        let current = CurrentFields()
        #expect(current.fields(.shared, now: Self.now) === current.fields(.shared, now: Self.now))
    }

    @Test func newSecondHasItsOwnDate() {
        let current = CurrentFields()
        let dates = [0, 0, 1].map { later in
            current.fields([], now: Self.now + later).fields.filter { $0.name == .date }.map(\.value)
        }
        #expect(
            dates == [
                ["Sun, 06 Nov 1994 08:49:37 GMT"], ["Sun, 06 Nov 1994 08:49:37 GMT"], ["Sun, 06 Nov 1994 08:49:38 GMT"],
            ])
    }

    @Test func kindsAreKeptApart() {
        let current = CurrentFields()
        let kinds = (0..<CommonFields.Kind.count).map { CommonFields.Kind(rawValue: $0) }
        for kind in kinds + kinds {
            let expected = CommonFields(kind, seconds: Self.now)
            #expect(current.fields(kind, now: Self.now).fields == expected.fields)
        }
        #expect(Set(kinds.map { CommonFields($0, seconds: Self.now).fields }).count == kinds.count)
    }
}
