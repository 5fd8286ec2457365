import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ReaderStateTests {
    @Test func newEntriesDoNotMoveWhatIsRead() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<40).reversed()))
        state.type("jjjjjjj")
        let (selected, row) = (state.selected?.id, state.list.selection - state.list.top)
        _ = state.update(.arrived(.home, ReaderFixture.items([42, 41, 40])))
        #expect(state.selected?.id == selected && state.list.selection - state.list.top == row)
        #expect(state.list.unseen == ["40", "41", "42"])
        #expect(ReaderFixture.text(state).contains("(3 new above; n)"))
        state.type("n")
        #expect(state.selected?.id == "40")
        state.type("g")
        #expect(state.list.unseen.isEmpty && state.selected?.id == "42")
    }

    @Test func aRefreshCountsOnlyWhatIsNewAbove() {
        var state = ReaderFixture.state(ReaderFixture.items([9, 8, 5, 4]), rows: 6)
        state.type("jj")
        _ = state.update(.loaded(.home, ReaderFixture.items([11, 10, 9, 8, 7, 6, 5, 4])))
        #expect(state.selected?.id == "5" && state.list.unseen == ["11", "10"])
    }

    @Test func whatHasArrivedDuringALoadStaysAbove() {
        var state = ReaderFixture.state(ReaderFixture.items([3, 2, 1]))
        let start = ContinuousClock.now
        _ = state.update(.arrived(.home, ReaderFixture.items([4]), at: start - .seconds(1)))
        _ = state.update(.arrived(.home, ReaderFixture.items([5]), at: start + .seconds(1)))
        _ = state.update(.loaded(.home, ReaderFixture.items([3, 2]), since: start))
        #expect(state.list.items.map(\.id) == ["5", "3", "2", "1"])
        _ = state.update(.loaded(.home, ReaderFixture.items([3, 2]), since: start + .seconds(2)))
        #expect(state.list.items.map(\.id) == ["3", "2", "1"])
    }

    /// A group of notifications has the id of the newest one, so others that have arrived before it are not shown again.
    @Test func whatHasArrivedDuringALoadIsNotAboveNewerEntries() {
        var state = ReaderFixture.state(ReaderFixture.items([9, 8]))
        let start = ContinuousClock.now
        for id in [10, 11, 12] {
            _ = state.update(.arrived(.home, ReaderFixture.items([id]), at: start + .seconds(1)))
        }
        _ = state.update(.loaded(.home, ReaderFixture.items([11, 9, 8]), since: start))
        #expect(state.list.items.map(\.id) == ["12", "11", "9", "8"])
    }

    @Test func readingContinuesWhereItEnded() {
        var state = ReaderState(columns: 80, rows: 24, account: "ada")
        _ = state.update(.position(.home, "5"))
        let effects = state.update(.loaded(.home, ReaderFixture.items((1...40).reversed())))
        #expect(state.selected?.id == "5" && state.list.unseen.count == 35)
        #expect(!effects.contains { if case .seen = $0 { true } else { false } })
    }

    @Test func readingContinuesWhereAnotherDeviceStopped() {
        var state = ReaderState(columns: 80, rows: 24, account: "ada")
        _ = state.update(.position(.home, "5"))
        _ = state.update(.loaded(.home, ReaderFixture.items((1...20).reversed())))
        _ = state.update(.position(.home, "9"))
        #expect(state.selected?.id == "9" && state.list.unseen.count == 11)
        // An older position changes nothing. One that is not known yet waits for the server's entries, and one that has
        // been deleted is that of the next older entry.
        _ = state.update(.position(.home, "7"))
        _ = state.update(.position(.home, "31"))
        #expect(state.selected?.id == "9")
        _ = state.update(.loaded(.home, ReaderFixture.items((1...40).reversed().filter { $0 != 31 })))
        #expect(state.selected?.id == "30" && state.list.unseen.count == 9)
    }

    @Test func onlyKeysMoveTheSelectionOnceOneHasBeenPressed() {
        var state = ReaderState(columns: 80, rows: 24, account: "ada")
        _ = state.update(.position(.home, "5"))
        _ = state.update(.loaded(.home, ReaderFixture.items((1...20).reversed())))
        state.type("j")
        _ = state.update(.position(.home, "9"))
        _ = state.update(.loaded(.home, ReaderFixture.items((1...21).reversed())))
        #expect(state.selected?.id == "4")
    }

    @Test func whenMoreArrivesThanWasLoadedAllOfItIsNewAndTheOldestIsNext() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<40).reversed()))
        _ = state.update(.older(.home, []))
        let effects = state.update(.loaded(.home, ReaderFixture.items((100..<150).reversed())))
        #expect(state.selected?.id == "100" && state.list.items.count == 50)
        #expect(state.list.unseen.count + state.layout.capacity == 50)
        #expect(!effects.contains { if case .seen = $0 { true } else { false } })
        // What was read is loaded again below.
        #expect(effects.contains(.older(.home, before: "100")))
    }

    @Test func whatArrivesInASourceThatWasNeverOpenedDoesNotCountAsShown() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        _ = state.update(.arrived(.notifications, ReaderFixture.items([9])))
        #expect(state.lists[.notifications] == nil && state.type("4") == [.resume(.notifications)])
        _ = state.update(.position(.notifications, "5"))
        _ = state.update(.arrived(.notifications, ReaderFixture.items([10])))
        _ = state.update(.loaded(.notifications, ReaderFixture.items((1...40).reversed())))
        #expect(state.selected?.id == "5")
    }

    @Test func theFirstEntriesAreNotNew() {
        #expect(ReaderFixture.state(ReaderFixture.items([3, 2, 1])).list.unseen.isEmpty)
    }

    @Test func whatIsDeletedDoesNotReturnWithALateResponse() {
        var state = ReaderFixture.state(ReaderFixture.items([2, 1]))
        _ = state.update(.deleted("s2"))
        _ = state.update(.loaded(.home, ReaderFixture.items([3, 2, 1])))
        #expect(state.list.items.map(\.id) == ["3", "1"])
    }

    @Test func whenTheSelectedEntryIsDeletedTheNextOlderOneIsSelected() {
        var state = ReaderFixture.state(ReaderFixture.items([5, 4, 3, 2]))
        state.type("j")
        _ = state.update(.deleted("s4"))
        #expect(state.selected?.id == "3")
        state.type("G")
        _ = state.update(.deleted("s2"))
        #expect(state.selected?.id == "3")
        for id in ["s3", "s5"] { _ = state.update(.deleted(id)) }
        #expect(state.selected == nil && ReaderFixture.text(state).contains("Nothing here."))
    }

    @Test func entriesBelowAreRequestedOnceNearTheEnd() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<60).reversed()))
        #expect(state.press(.end) == [.older(.home, before: "0")])
        #expect(state.type("kj") == [])
        _ = state.update(.older(.home, []))
        #expect(state.type("kj") == [])
    }

    @Test func entriesBelowAreRequestedAgainWithAKeyAfterAFailure() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<60).reversed()))
        #expect(state.press(.end) == [.older(.home, before: "0")])
        #expect(state.update(.older(.home, nil)) == [])
        #expect(state.type("k") == [.older(.home, before: "0")])
    }

    @Test func onlyKnownEntriesBelowAreTheEnd() {
        var state = ReaderFixture.state(ReaderFixture.items((10..<70).reversed()))
        state.press(.end)
        #expect(state.update(.older(.home, ReaderFixture.items([10, 9, 9]))) == [.older(.home, before: "9")])
        #expect(state.list.items.count == 61)
        #expect(state.update(.older(.home, ReaderFixture.items([10, 9]))) == [] && state.type("kj") == [])
    }

    @Test func pageOfDeletedEntriesIsNotTheEnd() {
        var state = ReaderFixture.state(ReaderFixture.items((10..<70).reversed()))
        for id in [8, 9] { _ = state.update(.deleted("s\(id)")) }
        state.press(.end)
        #expect(state.update(.older(.home, ReaderFixture.items([9, 8]))) == [.older(.home, before: "8")])
        #expect(state.type("kj") == [])
        #expect(state.update(.older(.home, ReaderFixture.items([7]))) == [.older(.home, before: "7")])
        // A server that repeats the page does not keep the reader busy.
        #expect(state.update(.older(.home, ReaderFixture.items([9, 8]))) == [.older(.home, before: "8")])
        #expect(state.update(.older(.home, ReaderFixture.items([9, 8]))) == [] && state.type("kj") == [])
        #expect(state.list.items.last?.id == "7")
    }

    @Test func whatIsFarBelowIsForgottenAndLoadedAgain() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<1990).reversed()))
        _ = state.update(.older(.home, []))
        for id in 1990..<2010 { _ = state.update(.arrived(.home, ReaderFixture.items([id]))) + state.type("g") }
        #expect(state.list.items.count <= 2001 && state.list.items.first?.id == "2009")
        let last = state.list.items.last?.id ?? ""
        #expect(last != "0" && state.press(.end) == [.older(.home, before: last)])
    }

    @Test func whatHasBeenSeenIsToldOnce() {
        var state = ReaderState(columns: 80, rows: 24, account: "ada")
        #expect(state.start() == [.resume(.home)])
        #expect(state.update(.loaded(.home, ReaderFixture.items([2, 1]))).contains(.seen(.home, upTo: "2")))
        state.type("j")
        // A list that is not full has room for the new entry.
        let effects = state.update(.arrived(.home, ReaderFixture.items([3]))) + state.type("g") + state.type("jk")
        #expect(effects.filter { $0 == .seen(.home, upTo: "3") }.count == 1)
    }

    @Test func reactionsAppearAtOnceAndAreTakenBackWhenTheyFail() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        #expect(state.type("f") == [.react(.favourite, "s1", undo: false)])
        #expect(state.selected?.reactions == [.favourite])
        _ = state.update(.reacted(.favourite, "s1", isUndone: true))
        #expect(state.selected?.reactions == [])
        state.type("b")
        #expect(state.type("b") == [.react(.boost, "s1", undo: true)])
        #expect(state.type("B") == [.react(.bookmark, "s1", undo: false)])
    }

    @Test func reactionsStayWhenWhatIsStoredDoesNotShowThemYet() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("f")
        _ = state.update(.loaded(.home, ReaderFixture.items([2, 1])))
        _ = state.update(.loaded(.local, ReaderFixture.items([1])))
        #expect(state.list.items.map(\.reactions) == [[], [.favourite]])
        #expect(state.lists[.local]?.items.first?.reactions == [.favourite])
    }

    @Test func deletingAsksFirst() {
        var items = ReaderFixture.items([2, 1])
        items[0].isOwn = true
        var state = ReaderFixture.state(items)
        #expect(state.type("d") == [])
        #expect(ReaderFixture.text(state).contains("Delete this status? (y/n)"))
        #expect(state.type("n") == [])
        #expect(state.type("dy") == [.delete("s2")])
        #expect(state.type("jdy") == [] && state.type("e") == [])
    }

    @Test func aConversationOpensBesideTheListAndKeysActOnItsEntries() {
        var state = ReaderFixture.state(ReaderFixture.items([3, 2, 1]))
        #expect(state.press(.enter) == [.thread("s3")])
        _ = state.update(.thread(of: "s3", ReaderFixture.items([2, 3, 7])))
        #expect(state.selected?.id == "3" && state.list.selected?.id == "3")
        state.type("j")
        #expect(state.type("r") == [.reply("s7")])
        state.press(.escape, .escape)
        #expect(state.detail.threadID == nil && state.selected?.id == "3")
    }

    @Test func aConversationThatArrivesLateIsNotShown() {
        var state = ReaderFixture.state(ReaderFixture.items([3, 2, 1]))
        state.press(.enter, .tab)
        state.type("j")
        _ = state.update(.thread(of: "s3", ReaderFixture.items([3, 7])))
        #expect(state.detail.threadID == nil && state.detail.selected?.id == "2")
    }

    @Test func aLongEntryIsScrolledByLinesAndThenTheNextOneFollows() {
        var state = ReaderFixture.state([ReaderFixture.item("1")], columns: 60, rows: 20)
        state.press(.enter)
        let long = ReaderFixture.item("1", text: (0..<30).map { "line \($0)" }.joined(separator: "\n"))
        _ = state.update(.thread(of: "s1", [long, ReaderFixture.item("2")]))
        state.type("jjj")
        #expect(state.detail.offset == 3 && state.selected?.id == "1")
        for _ in 0..<40 where state.selected?.id == "1" { state.type("j") }
        #expect(state.selected?.id == "2" && ReaderFixture.text(state).contains("Text of 2"))
        for _ in 0..<80 { state.type("k") }
        #expect(state.selected?.id == "1" && state.detail.top == 0 && state.detail.offset == 0)
    }

    @Test func sourcesAreOpenedAndLeftInOrder() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        #expect(state.type("4") == [.resume(.notifications)])
        _ = state.update(.loaded(.notifications, []))
        state.type("#tea")
        #expect(state.press(.enter) == [.resume(.tag("tea"))])
        #expect(state.type("q") == [.load(.notifications)])
        #expect(state.type("q").contains(.load(.home)))
        #expect(state.type("q") == [.quit])
        #expect(state.type("u") == [.resume(.profile("ada"))])
    }

    @Test func listsHashtagsAndLoginsAreChosen() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        _ = state.update(.choices(sources: [.list("Friends")], accounts: ["ada", "bob@other.example"]))
        state.type("L")
        for _ in 0..<20 { state.type("j") }
        #expect(state.press(.enter) == [.resume(.list("Friends"))])
        state.type("Aj")
        #expect(state.press(.enter) == [.account("bob@other.example")])
        #expect(state.update(.account("bob")) == [.resume(.home)])
        #expect(state.list.items.isEmpty && state.account == "bob")
    }

    @Test func choicesThatArriveLateAreInTheOpenList() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("A")
        #expect(ReaderFixture.text(state).contains("Nothing to choose from."))
        _ = state.update(.choices(sources: [], accounts: ["ada", "bob"]))
        state.type("j")
        _ = state.update(.choices(sources: [.list("Friends")], accounts: ["cleo", "ada", "bob"]))
        #expect(state.press(.enter) == [.account("bob")])
        state.type("LG")
        _ = state.update(.choices(sources: [.tag("tea"), .list("Friends")], accounts: []))
        #expect(state.press(.enter) == [.resume(.list("Friends"))])
    }

    @Test func votesNameTheChosenOptions() {
        var items = ReaderFixture.items([2, 1])
        items[0].poll = ReaderPoll(options: ["a", "b", "c"], isMultiple: true)
        var state = ReaderFixture.state(items)
        state.type("v jj ")
        #expect(state.press(.enter) == [.vote("s2", [0, 2])])
        state.type("vj")
        #expect(state.press(.enter) == [.vote("s2", [1])])
        state.type("jv")
        #expect(state.notice == "There is no open poll.")
    }

    @Test func controlKeysWorkEverywhere() {
        var state = ReaderFixture.state([])
        state.type("c")
        #expect(state.press(.control("z"), .control("l")) == [.suspend, .redraw])
        state.press(.control("c"))
        #expect(state.press(.control("c")) == [.quit])
    }
}
