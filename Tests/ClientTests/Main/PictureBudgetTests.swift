import Testing

@testable import feedclient

/// How many pictures an output has.
struct PictureBudgetTests {
    @Test func pictureCountsAsOftenAsItIsShown() {
        var budget = PictureBudget(limit: 100)
        #expect(budget.take(30, uses: 2))
        #expect(!budget.take(30, uses: 2))
        #expect(budget.take(40, uses: 1))
        #expect(!budget.take(1, uses: 1))
    }

    @Test func overflowIsNotEnough() {
        var budget = PictureBudget(limit: .max)
        #expect(!budget.take(.max, uses: 2))
        #expect(budget.take(.max, uses: 1))
    }
}
