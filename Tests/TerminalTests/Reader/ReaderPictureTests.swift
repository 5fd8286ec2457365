import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ReaderPictureTests {
    @Test func picturesOfTheVisibleEntryAreRequestedOnce() {
        var state = ReaderFixture.state([], showsPictures: true)
        let items = [ReaderFixture.illustrated("2"), ReaderFixture.illustrated("1")]
        let effects = state.update(.loaded(.home, items))
        #expect(effects.contains(.preview("preview 2", columns: 78, rows: 8)))
        _ = state.update(.preview("preview 2", []))
        #expect(state.type("j") == [.preview("preview 1", columns: 78, rows: 8)])
        // It may never arrive, because the user has moved on.
        #expect(state.type("k") == [] && state.type("j") == [.preview("preview 1", columns: 78, rows: 8)])
        _ = state.update(.preview("preview 1", ["\u{1B}[31m▀▀\u{1B}[0m"]))
        #expect(state.type("kj") == [] && ReaderFixture.text(state).contains("▀▀"))
        // Another width needs another picture.
        let resized = state.update(.resize(columns: 60, rows: 20))
        #expect(resized.contains(.preview("preview 1", columns: 58, rows: 6)))
        #expect(!ReaderFixture.text(state).contains("▀▀"))
    }

    @Test func withoutPicturesNoneAreRequested() {
        var state = ReaderFixture.state([])
        let effects = state.update(.loaded(.home, [ReaderFixture.illustrated("1")]))
        #expect(!effects.contains { if case .preview = $0 { true } else { false } })
        #expect(state.type("m") == [] && ReaderFixture.text(state).contains("1 of 2: image: A cat"))
        #expect(ReaderFixture.text(state).contains("There is no picture to show here"))
    }

    @Test func filesAreShownOneAfterTheOtherOnTheWholeScreen() {
        var state = ReaderFixture.state([ReaderFixture.illustrated("1")], showsPictures: true)
        #expect(state.type("m") == [.picture("preview 1", columns: 80, rows: 19)])
        #expect(ReaderFixture.text(state).contains("Loading…"))
        _ = state.update(.picture("another", .lines(["▀▀"])))
        #expect(!ReaderFixture.text(state).contains("▀▀"))
        _ = state.update(.picture("preview 1", .lines(["▀▀"])))
        let text = ReaderFixture.text(state)
        #expect(text.contains("▀▀") && text.contains("1 of 2: image: A cat"))
        #expect(state.type("o") == [.open("https://feed.example/cat.png")])
        state.type("j")
        #expect(ReaderFixture.text(state).contains("2 of 2: audio: (no description)"))
        #expect(state.type("k") == [.picture("preview 1", columns: 80, rows: 19)])
        state.press(.escape)
        #expect(!ReaderFixture.text(state).contains("1 of 2"))
    }

    @Test func aSequenceIsPlacedBelowTheFirstRowUntilTheViewIsLeft() {
        var state = ReaderFixture.state([ReaderFixture.illustrated("1")], showsPictures: true)
        state.type("m")
        _ = state.update(.picture("preview 1", .sequence("<picture>")))
        #expect(state.picture == "\u{1B}[2;1H<picture>")
        #expect(!ReaderFixture.text(state).contains("<picture>"))
        state.type("q")
        #expect(state.picture == nil)
    }

    @Test func withoutFilesThereIsNothingToShow() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        #expect(state.type("m") == [] && state.notice == "There are no pictures or files.")
    }
}
