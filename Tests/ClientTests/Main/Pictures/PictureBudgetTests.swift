import Testing

@testable import feedclient

/// The number of pictures in an output.
struct PictureBudgetTests {
    @Test func pictureCountsAsOftenAsItIsShown() {
        var budget = PictureBudget(limit: 100)
        let fits = [(30, 2), (30, 2), (40, 1), (1, 1)].map { budget.take($0.0, uses: $0.1) }
        #expect(fits == [true, false, true, false])
    }

    @Test func overflowIsNotEnough() {
        var budget = PictureBudget(limit: .max)
        let fits = [2, 1].map { budget.take(.max, uses: $0) }
        #expect(fits == [false, true])
    }
}
