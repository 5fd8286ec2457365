import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ReaderFormTests {
    @Test func aStatusIsWrittenInPlace() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        _ = state.update(.defaults(visibility: "public", characters: 500))
        state.type("cHello")
        state.press(.enter, .control("v"), .tab)
        state.type("food")
        state.press(.tab)
        state.type("/tmp/a.png")
        state.press(.enter)
        state.type("A cat")
        state.press(.enter)
        guard case .post(let form)? = state.press(.control("s")).first else {
            Issue.record("nothing was posted")
            return
        }
        #expect(form.text.text == "Hello\n" && form.warning.text == "food" && form.visibility == "unlisted")
        #expect(form.media == [.init(path: "/tmp/a.png", description: "A cat")])
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("a\nb", 3), ("https://a.very.long.address.example/with/a/path?and=more", 23),
        ("@bob@other.example hi", 7), ("#tea 👩‍👩‍👧", 6), ("see http://a.example, ok", 31),
    ])
    func lengthIsThatOfServers(text: String, length: Int) { #expect(ReaderForm(text: text).length == length) }

    @Test func tooLongOrEmptyTextsAreNotSent() {
        var state = ReaderFixture.state([])
        state.type("c")
        #expect(state.press(.control("s")) == [] && state.notice == "There is no text yet.")
        state.press(.paste(String(repeating: "x", count: 501)))
        #expect(state.press(.control("s")) == [] && state.notice == "The text is too long.")
        state.press(.backspace)
        #expect(state.press(.control("s")).count == 1)
    }

    @Test func whatWasWrittenIsNotDiscardedWithoutAQuestion() {
        var state = ReaderFixture.state([])
        state.type("cabc")
        state.press(.escape)
        state.type("n")
        guard case .writing(let form) = state.mode else {
            Issue.record("the text was discarded")
            return
        }
        #expect(form.text.text == "abc")
        state.press(.escape)
        state.type("y")
        guard case .reading = state.mode else {
            Issue.record("the form is still open")
            return
        }
    }

    @Test func aFormThatArrivesDoesNotReplaceTheOpenOne() {
        var state = ReaderFixture.state([])
        state.type("cmine")
        _ = state.update(.form(ReaderForm(text: "@bob ", replyTo: "1")))
        #expect(state.press(.control("s")).count == 1)
        guard case .writing(let form) = state.mode else {
            Issue.record("the second form is lost")
            return
        }
        #expect(form.text.text == "@bob ")
    }

    @Test func keysAreNoCommandsUntilAFormArrives() {
        var items = ReaderFixture.items([2, 1])
        items[0].isOwn = true
        var state = ReaderFixture.state(items)
        #expect(state.type("ejdq") == [.edit("s2")] && state.selected?.id == "2")
        #expect(ReaderFixture.text(state).contains("Loading"))
        #expect(state.update(.opened(.edit("s2"), nil)) == [] && state.selected?.id == "2")
        #expect(state.type("rj") == [.reply("s2")])
        _ = state.update(.opened(.reply("s2"), ReaderForm(text: "@bob ", replyTo: "s2")))
        state.type("k")
        guard case .writing(let form) = state.mode else {
            Issue.record("the form is not open")
            return
        }
        #expect(form.text.text == "@bob jk")
    }

    @Test func aFormThatIsNoLongerWaitedForIsNotShown() {
        var state = ReaderFixture.state(ReaderFixture.items([2, 1]))
        state.type("r")
        state.press(.escape)
        _ = state.update(.opened(.reply("s2"), ReaderForm(text: "@bob ", replyTo: "s2")))
        state.type("j")
        #expect(state.selected?.id == "1")
    }

    @Test func anEditedTextReturnsToItsForm() {
        var state = ReaderFixture.state([])
        state.type("cone")
        guard case .editor(var form)? = state.press(.control("o")).first else {
            Issue.record("no editor was asked for")
            return
        }
        form.text = TextInput("two")
        _ = state.update(.form(form))
        guard case .post(let posted)? = state.press(.control("s")).first else {
            Issue.record("nothing was posted")
            return
        }
        #expect(posted.text.text == "two")
    }

    @Test func textIsEditedAroundTheCursor() {
        var input = TextInput("one two")
        for key in [Key.left, .left, .left, .character("x"), .home, .character("y"), .delete, .end, .control("w")] {
            _ = input.take(key, isBlock: true)
        }
        #expect(input.text == "yne ")
        _ = input.take(.paste("a\u{1B}[2J\nb"), isBlock: false)
        #expect(input.text == "yne a[2J b")
        _ = input.take(.character("\u{301}"), isBlock: true)
        #expect(input.text.count == 10)
    }

    @Test func theCursorIsWhereTheTextIs() {
        var input = TextInput("abc\n中文字")
        let wide = input.layout(columns: 20)
        #expect(wide.lines == ["abc", "中文字"] && wide.row == 1 && wide.column == 6)
        _ = input.take(.left, isBlock: true)
        let narrow = input.layout(columns: 5)
        #expect(narrow.lines == ["abc", "中文", "字"] && narrow.row == 1 && narrow.column == 4)
    }

    @Test func newStatusesHaveTheDefaultsOfTheAccountAndTheServer() {
        var state = ReaderFixture.state([])
        state.type("c")
        #expect(ReaderFixture.text(state).contains("New status  default  0/500"))
        state.press(.escape)
        _ = state.update(.defaults(visibility: nil, characters: 1000))
        _ = state.update(.defaults(visibility: "private", characters: nil))
        state.type("c")
        #expect(ReaderFixture.text(state).contains("New status  private  0/1000"))
        state.press(.escape)
        _ = state.update(.form(ReaderForm(replyTo: "1")))
        #expect(ReaderFixture.text(state).contains("Reply  private  0/1000"))
        state.press(.escape)
        _ = state.update(.form(ReaderForm(visibility: "direct", replyTo: "1")))
        #expect(ReaderFixture.text(state).contains("Reply  direct  0/1000"))
        _ = state.update(.account("bob"))
        state.type("c")
        #expect(ReaderFixture.text(state).contains("New status  default  0/500"))
    }

    @Test func editsChangeTextAndWarningOnly() {
        var state = ReaderFixture.state([])
        _ = state.update(.form(ReaderForm(text: "old", editing: "1")))
        #expect(ReaderFixture.text(state).contains("Edit  3/500") && !ReaderFixture.text(state).contains("File:"))
        state.press(.control("v"), .tab)
        state.type("w")
        state.press(.tab)
        state.type("er")
        guard case .post(let form)? = state.press(.control("s")).first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(form.text.text == "older" && form.warning.text == "w" && form.visibility.isEmpty)
    }

    @Test func aFileThatIsBeingEnteredIsAttached() {
        var state = ReaderFixture.state([])
        state.type("c")
        state.press(.tab, .tab)
        state.type("/tmp/a.png")
        state.press(.tab)
        state.type("A cat")
        guard case .post(let form)? = state.press(.control("s")).first else {
            Issue.record("nothing was posted")
            return
        }
        #expect(form.media == [.init(path: "/tmp/a.png", description: "A cat")])
    }

    @Test func aLongPathIsVisibleAtItsEnd() {
        var state = ReaderFixture.state([], columns: 60, rows: 20)
        state.type("c")
        state.press(.tab, .tab, .paste("/" + String(repeating: "folder/", count: 20) + "end.png"))
        #expect(ReaderFixture.text(state).contains("folder/end.png"))
    }

    @Test func theEndOfALongTextIsVisibleBeforeTheCursor() {
        let input = TextInput(String(repeating: "x", count: 60_000) + "中文b")
        #expect(input.before(fitting: 3) == "文b" && input.before(fitting: 4) == "文b")
        #expect(input.before(fitting: 6) == "x中文b" && input.before(fitting: 0) == "")
        #expect(TextInput("abc").before(fitting: 9) == "abc")
    }

    @Test func theLastFileIsRemoved() {
        var state = ReaderFixture.state([], columns: 100)
        state.type("c")
        #expect(!ReaderFixture.text(state).contains("^X"))
        state.press(.tab, .tab)
        state.type("/tmp/a.png")
        state.press(.enter, .enter)
        #expect(ReaderFixture.text(state).contains("^X remove file"))
        state.press(.control("x"))
        #expect(!ReaderFixture.text(state).contains("a.png"))
    }

    @Test func visitorsAreToldToLogIn() {
        var state = ReaderState(columns: 80, rows: 24, account: "")
        _ = state.update(.loaded(.public, ReaderFixture.items([1])))
        for key in ["c", "r", "f", "B"] {
            #expect(state.type(key) == [] && state.notice?.hasPrefix("Log in first") == true, "\(key)")
        }
        #expect(state.press(.enter) == [.thread("s1")])
    }
}
