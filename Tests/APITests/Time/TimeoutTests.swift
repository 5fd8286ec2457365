import TestKit
import Testing

@testable import FeedAPI

@Suite(.hangLimit)
struct TimeoutTests {
    @Test(
        arguments: [
            (nil, 0), ("", 0), ("30", 30), ("86400", 86_400), ("86401", 0), ("-1", 0), ("9223372036854775808", 0),
            ("1.5", 0), (" 3", 0),
        ] as [(String?, Int)])
    func onlyNumbersOfSecondsAreMinimums(text: String?, seconds: Int) {
        #expect(Timeout.seconds(minimum: text) == seconds)
    }

    @Test func limitsAreNotShorterThanTheirStandard() {
        #expect(Timeout.seconds(100_000) == 100_000)
    }
}
