import Foundation
import TestKit
import Testing

@testable import FeedTerminal

/// Complete screens, as the files in `Golden` describe them. With `FEED_GOLDEN=write`, the files are written instead, to be
/// reviewed.
@Suite(.hangLimit)
struct ReaderScreenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")
    private static var isWriting: Bool { ProcessInfo.processInfo.environment["FEED_GOLDEN"] == "write" }

    @Test(arguments: [(60, 20), (80, 24), (120, 30), (300, 100)])
    func screenIsAsDescribed(columns: Int, rows: Int) throws {
        let state = ReaderFixture.timeline(columns: columns, rows: rows)
        try expect(ReaderFixture.text(state), "timeline-\(columns)x\(rows).txt")
    }

    @Test func plainScreenIsAsDescribed() throws {
        let state = ReaderFixture.timeline(columns: 80, rows: 24)
        let text = ReaderFixture.text(state, isASCII: true)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        try expect(text, "timeline-ascii.txt")
    }

    @Test func helpAndFormAreAsDescribed() throws {
        var state = ReaderFixture.timeline(columns: 80, rows: 24)
        state.type("?")
        try expect(ReaderFixture.text(state), "help.txt")
        state.type("xcHello 中文")
        try expect(ReaderFixture.text(state), "form.txt")
    }

    private func expect(_ text: String, _ name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        if Self.isWriting { try text.write(to: file, atomically: true, encoding: .utf8) }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(text == golden, "\(name):\n\(text)")
    }

    @Test func aMovedSelectionRewritesFewCells() {
        var state = ReaderFixture.state(ReaderFixture.items((0..<10_000).reversed()), columns: 120, rows: 40)
        state.type("j")
        let old = ReaderScreen.cells(state)
        state.type("j")
        let new = ReaderScreen.cells(state)
        let text = ScreenRenderer(isSynchronized: false).text(from: old, to: new)
        var screen = OutputScreen(columns: 120, rows: 40)
        screen.write(text)
        let changed = (0..<40).reduce(0) { sum, row in sum + (0..<120).count { old[row, $0] != new[row, $0] } }
        // Two entries of two rows in the list, and the digits of the text beside it.
        #expect(screen.written == changed && changed < 4 * new.columns / 2)
        #expect(text.utf8.count < 1500)
    }

    @Test func filesAndReactionsAreMarkedInTheList() {
        var items = [ReaderFixture.illustrated("3"), ReaderFixture.item("2"), ReaderFixture.illustrated("1")]
        items[0].reactions = [.favourite, .boost, .bookmark]
        let state = ReaderFixture.state(items, columns: 60, rows: 20)
        let rows = ReaderFixture.text(state).components(separatedBy: "\n")
        #expect(rows[1].hasSuffix(" ▣★⟳⚑ 3m") && rows[3].hasSuffix("  3m") && rows[5].hasSuffix(" ▣ 3m"))
        #expect(rows.allSatisfy { TextWidth.columns(of: $0) <= 60 })
        #expect(ReaderFixture.text(state, isASCII: true).contains(" #*^+ 3m\n"))
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 2), (20, 6), (99, 9), (100, 3)])
    func tinyScreensAreDrawn(columns: Int, rows: Int) {
        var state = ReaderFixture.timeline(columns: columns, rows: rows)
        for keys in ["", "?", "x", "c", "abc", "L"] {
            state.type(keys)
            #expect(ReaderScreen.cells(state).rows == rows)
        }
    }
}

@Suite(.hangLimit)
struct ReaderWalkTests {
    private static let keys: [Key] =
        "jjjkkgGnqrbfBvommedFucRLA?/#@ y12345678".map { .character($0) } + [
            .enter, .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end,
            .pageUp, .pageDown, .control("d"), .control("u"), .control("v"), .control("x"), .control("w"),
            .control("k"),
            .character("中"), .character("\u{301}"), .paste("a\u{1B}[2J\n👩‍👩‍👧 b"), .control("s"),
        ]

    /// After any keys and events, everything is within the screen, and an entry is selected if there are any.
    @Test(arguments: [(60, 20), (120, 40)])
    func anyKeysAndEventsLeaveAValidScreen(columns: Int, rows: Int) {
        var walk = Walk(state: ReaderFixture.state([], columns: columns, rows: rows, showsPictures: true))
        for _ in 0..<Soak.rounds(1500, soaking: 50_000) {
            walk.step()
            let state = walk.state
            #expect(state.list.items.isEmpty == (state.list.selected == nil))
            #expect(state.detail.items.isEmpty == (state.detail.selected == nil))
            #expect(state.list.selection >= state.list.top)
            #expect(state.list.items.isEmpty || state.list.selection < state.list.top + state.layout.capacity)
            let isShown = walk.draw()
            #expect(isShown)
        }
    }

    private struct Walk {
        var state: ReaderState
        private var random = SplitMix64(seed: 47)
        private var next = 0
        private var old: ScreenBuffer?
        private var screen: OutputScreen

        init(state: ReaderState) {
            self.state = state
            screen = OutputScreen(columns: state.layout.columns, rows: state.layout.rows)
        }

        mutating func step() {
            let event: ReaderEvent
            switch Int.random(in: 0..<20, using: &random) {
            case 0: event = .loaded(source(), items(Int.random(in: 0...30, using: &random)))
            case 1: event = .arrived(source(), items(Int.random(in: 0...3, using: &random)))
            case 2: event = .older(source(), items(Int.random(in: 0...3, using: &random)))
            case 3: event = .deleted("s\(Int.random(in: 0...max(1, next), using: &random))")
            case 4: event = resize()
            case 5: event = .thread(of: state.list.selected?.statusID ?? "s1", known())
            case 6: event = .reacted(.boost, "s1", isUndone: Bool.random(using: &random))
            case 7: event = .offline(Bool.random(using: &random) ? "no\u{1B}[2J network" : nil)
            case 8: event = said()
            default: event = .key(ReaderWalkTests.keys.randomElement(using: &random) ?? .enter)
            }
            _ = state.update(event)
        }

        /// Something else with a text of others.
        private mutating func said() -> ReaderEvent {
            let text = hostile()
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .notice(text)
            case 1: return .choices(sources: [.list(text), .tag(text), .profile(text)], accounts: [text, text])
            case 2:
                return .form(
                    ReaderForm(text: text, warning: hostile(), editing: Bool.random(using: &random) ? "1" : nil))
            case 3: return .pinned(source(), ReaderFixture.item("account", name: text, text: text))
            case 4: return .defaults(visibility: text, characters: 10)
            case 5: return .preview("preview \(next)", [text, "\u{1B}[38;2;1;2;3m▀\u{1B}[0m" + text])
            case 6: return .picture("preview \(next)", Bool.random(using: &random) ? .lines([text]) : .missing)
            default: return .changed(ReaderFixture.item("\(next)", name: text, text: text))
            }
        }

        /// - Returns: Whether a terminal shows exactly the cells.
        mutating func draw() -> Bool {
            let grid = ReaderScreen.cells(state)
            if old?.columns != grid.columns || old?.rows != grid.rows {
                screen = OutputScreen(columns: grid.columns, rows: grid.rows)
            }
            screen.write(ScreenRenderer(isSynchronized: true).text(from: old, to: grid))
            old = grid
            return screen.isValid && screen.shows(grid)
        }

        private mutating func source() -> ReaderSource { Bool.random(using: &random) ? state.source : .home }

        private mutating func items(_ count: Int) -> [ReaderItem] {
            (0..<count).map { _ in
                next += 1
                let (name, text) = (hostile(), hostile())
                var item = ReaderFixture.item("\(next)", name: name, text: text)
                item.isOwn = Bool.random(using: &random)
                if Bool.random(using: &random) {
                    item.media = ReaderFixture.illustrated("\(next)", description: text).media
                    item.previews = ["preview \(next)"]
                }
                if Bool.random(using: &random) { item.poll = ReaderPoll(options: [text, name], isMultiple: true) }
                return item
            }.reversed()
        }

        /// A conversation around the selected entry.
        private mutating func known() -> [ReaderItem] { items(2) + (state.list.selected.map { [$0] } ?? []) + items(2) }

        private mutating func hostile() -> String { ReaderFixture.hostile.randomElement(using: &random) ?? "" }

        private mutating func resize() -> ReaderEvent {
            .resize(
                columns: Int.random(in: 1...160, using: &random), rows: Int.random(in: 1...50, using: &random))
        }
    }
}
