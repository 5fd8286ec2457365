import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// New entries among those of pages and events.
@Suite(.hangLimit)
struct LiveEntryFilterTests {
    @Test func oldestIDsAreForgotten() {
        var ids = RecentIDs(capacity: 3)
        let added = ["1", "2", "3", "1", "4"].map { ids.insert($0) }
        #expect(added == [true, true, true, false, true])
        #expect(!ids.contains("1") && ids.contains("2") && ids.contains("3") && ids.contains("4"))
        for number in 5..<100 { _ = ids.insert("\(number)") }
        #expect(["97", "98", "99"].allSatisfy(ids.contains) && !ids.contains("96"))
    }

    @Test func newestIDIsWhereTheNextPageBegins() {
        var state = LiveEntryFilter()
        state.readNewest([])
        #expect(state.cursor == nil && state.hasPage)
        state.readNewest(["9", "8"])
        #expect(state.cursor == "9")
        for id in ["10", "7"] { _ = state.accepts(event: id) }
        #expect(state.cursor == "10")
        for id in ["01H", "01G"] { _ = state.accepts(event: id) }
        #expect(state.cursor == "01H")
    }

    /// Events that have arrived while the page was being read, which begins in their midst.
    @Test func eventsBeforeTheFirstPageAreIgnored() {
        var state = LiveEntryFilter()
        state.readNewest(["6", "5"])
        let page = ["5", "6"].map { state.accepts($0) }
        // A status of another server may arrive later than newer ones.
        let events = ["3", "4", "5", "6", "7", "2", "8"].map { state.accepts(event: $0) }
        #expect(page == [true, true] && events == [false, false, false, false, true, true, true])
    }

    @Test func pagesAreReadUntilThereIsNothingNew() {
        var state = LiveEntryFilter()
        state.readNewest(["3"])
        _ = state.accepts("3")
        state.fallBehind()
        state.readPage(["5", "4"], next: nil)
        #expect(state.isBehind && state.cursor == "5")
        // An empty page with an address may be followed by others.
        state.readPage([], next: "8")
        #expect(state.isBehind && state.cursor == "8")
        state.readPage([], next: nil)
        #expect(!state.isBehind)
    }

    /// A server whose addresses lead in a circle does not keep the client busy forever.
    @Test func circleOfPagesEnds() {
        var state = LiveEntryFilter()
        state.readNewest(["3"])
        state.fallBehind()
        var pages = 0
        while state.isBehind {
            state.readPage([], next: pages.isMultiple(of: 2) ? "4" : "5")
            pages += 1
        }
        #expect(pages <= 50)
    }

    /// A server that posts while the connection is lost at random: every entry is accepted once, in order.
    @Test func randomWalk() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for _ in 0..<Soak.rounds(500, soaking: 50_000) { walk(&random, "seed \(seed)") }
    }

    private func walk(_ random: inout SplitMix64, _ note: Comment) {
        var state = LiveEntryFilter()
        var posted = Array(1...Int.random(in: 1...90, using: &random))
        // Events that are on the way, in order.
        var events: [Int] = []
        var shown: [Int] = []
        let first = Int.random(in: 1...20, using: &random)
        func show(_ numbers: some Sequence<Int>) {
            for number in numbers where state.accepts("\(1000 + number)") { shown.append(number) }
        }
        func catchUp() {
            while state.isBehind {
                guard let cursor = state.cursor.flatMap({ Int($0) }) else {
                    let page = posted.suffix(first)
                    state.readNewest(page.reversed().map { "\(1000 + $0)" })
                    show(page)
                    continue
                }
                let page = posted.filter { $0 + 1000 > cursor }.prefix(Int.random(in: 1...40, using: &random))
                state.readPage(page.reversed().map { "\(1000 + $0)" }, next: nil)
                show(page)
            }
        }
        state.fallBehind()
        for _ in 0..<40 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let count = Int.random(in: 1...60, using: &random)
                let new = (posted.count + 1)...(posted.count + count)
                posted += new
                events += new
            case 1:
                // The connection is lost; events get lost with it, or remain if it is resumed.
                if Bool.random(using: &random) { events = [] }
                state.fallBehind()
                catchUp()
            default:
                catchUp()
                while !events.isEmpty, Int.random(in: 0..<8, using: &random) > 0 {
                    let number = events.removeFirst()
                    if state.accepts(event: "\(1000 + number)") { shown.append(number) }
                }
            }
        }
        state.fallBehind()
        catchUp()
        let expected = shown.first.map { Array($0...posted.count) } ?? []
        #expect(shown == expected && shown.first != nil, note)
    }
}
