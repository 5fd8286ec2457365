import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct ReaderSourceTests {
    /// The state of a profile whose account is at the top.
    private func profile(isFollowed: Bool?) -> ReaderState {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("u")
        _ = state.update(.loaded(.profile("ada"), ReaderFixture.items([3, 2, 1])))
        var account = ReaderFixture.item("account ada", text: "About me")
        (account.statusID, account.isFollowed) = (nil, isFollowed)
        _ = state.update(.pinned(.profile("ada"), account))
        return state
    }

    @Test func aProfileBeginsWithItsAccount() {
        var state = profile(isFollowed: false)
        #expect(state.selected?.id == "account ada" && state.list.items.count == 4)
        #expect(ReaderFixture.text(state).contains("About me"))
        // It stays there, and is not taken for a status that has been seen, or is new.
        state.type("j")
        let effects = state.update(.loaded(.profile("ada"), ReaderFixture.items([4, 3, 2, 1])))
        #expect(state.list.items.map(\.id) == ["account ada", "4", "3", "2", "1"])
        #expect(state.selected?.id == "3" && effects.contains(.seen(.profile("ada"), upTo: "4")))
        _ = state.update(.arrived(.profile("ada"), ReaderFixture.items([5])))
        #expect(state.list.items.map(\.id).prefix(2) == ["account ada", "5"])
    }

    @Test func anAccountThatArrivesFirstIsNotTheEndOfItsStatuses() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("u")
        #expect(state.update(.pinned(.profile("ada"), ReaderFixture.item("account ada"))) == [])
        let effects = state.update(.loaded(.profile("ada"), ReaderFixture.items([2, 1])))
        #expect(effects.contains(.older(.profile("ada"), before: "1")))
    }

    @Test func anAccountThatArrivesLateDoesNotMoveWhatIsRead() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("u")
        _ = state.update(.loaded(.profile("ada"), ReaderFixture.items((1...40).reversed())))
        state.type("jjjjjjjj")
        let (id, row) = (state.selected?.id, state.list.selection - state.list.top)
        _ = state.update(.pinned(.profile("ada"), ReaderFixture.item("account ada")))
        #expect(state.selected?.id == id && state.list.selection - state.list.top == row)
    }

    @Test func accountsAreFollowedInTheirProfiles() {
        var state = profile(isFollowed: false)
        #expect(state.type("F") == [.follow("ada", undo: false)])
        state = profile(isFollowed: true)
        #expect(state.type("F") == [.follow("ada", undo: true)])
        #expect(state.type("jF") == [.follow("ada", undo: true)])
        state.type("1")
        #expect(state.type("F") == [] && state.notice != nil)
    }

    @Test func theOpenOutboxIsLoadedAgainWhenItChanges() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        #expect(state.update(.outboxChanged) == [])
        state.type("8")
        #expect(state.update(.outboxChanged) == [.load(.outbox)])
    }

    @Test func whatWaitsIsSentOnceWhenTheServerCanBeReachedAgain() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        #expect(state.update(.offline(nil)) == [] && state.update(.offline("no network")) == [])
        #expect(ReaderFixture.text(state).contains("Offline: no network"))
        #expect(state.update(.offline(nil)) == [.flush(isAutomatic: true)])
        #expect(!ReaderFixture.text(state).contains("Offline"))
        #expect(state.update(.offline(nil)) == [])
        // A visitor has nothing to send.
        var visitor = ReaderState(columns: 80, rows: 24, account: "")
        _ = visitor.update(.offline("no network"))
        #expect(visitor.update(.offline(nil)) == [])
    }

    @Test(
        arguments: [
            .home, .notifications, .conversations, .bookmarks, .outbox, .list("Friends"), .tag("tea"), .profile("bob"),
            .search("!!!"),
        ] as [ReaderSource])
    func aSourceThatCannotBeLoadedIsNoLongerLoading(source: ReaderSource) {
        var state = ReaderState(columns: 80, rows: 24, account: "ada")
        _ = state.open(source)
        #expect(ReaderFixture.text(state).contains("Loading…"))
        _ = state.update(.failed(source, "no\u{1B}[2J network"))
        #expect(ReaderFixture.text(state).contains("Could not be loaded: no"))
        // It is tried again when it is opened again, and its first entries are not new.
        #expect(state.open(source) == [.resume(source)])
        _ = state.update(.loaded(source, ReaderFixture.items((1...40).reversed())))
        #expect(state.list.items.count == 40 && state.list.unseen.isEmpty)
        _ = state.update(.failed(source, "no network"))
        #expect(state.list.items.count == 40)
    }

    @Test func whatASearchFindsIsOpened() {
        var state = ReaderFixture.state([])
        state.type("/tea")
        #expect(state.press(.enter) == [.resume(.search("tea"))])
        var tag = ReaderFixture.item("tag tea")
        (tag.statusID, tag.opens) = (nil, .tag("tea"))
        _ = state.update(.loaded(.search("tea"), [tag] + ReaderFixture.items([1])))
        #expect(state.press(.enter) == [.resume(.tag("tea"))])
        #expect(state.type("q").contains(.load(.search("tea"))))
        state.type("j")
        #expect(state.press(.enter) == [.thread("s1")])
    }

    @Test func postsAreRemovedFromTheOutboxAfterAQuestionOrSentAgain() {
        var state = ReaderFixture.state(ReaderFixture.items([1]))
        state.type("8")
        var post = ReaderFixture.item("abc123")
        post.statusID = nil
        _ = state.update(.loaded(.outbox, [post]))
        #expect(state.type("dn") == [] && state.type("dy") == [.drop("abc123")])
        #expect(state.type("R") == [.flush(isAutomatic: false)])
        // Those that have been sent are gone.
        _ = state.update(.loaded(.outbox, ReaderFixture.items([3, 2, 1])))
        _ = state.update(.loaded(.outbox, ReaderFixture.items([3, 2])))
        #expect(state.list.items.map(\.id) == ["3", "2"])
    }

    @Test func editsAppearWhereverTheStatusIs() {
        var state = ReaderFixture.state(ReaderFixture.items([2, 1]))
        _ = state.update(.loaded(.local, ReaderFixture.items([1])))
        state.type("j")
        #expect(state.update(.changed(ReaderFixture.item("1", text: "another text"))) == [])
        #expect(ReaderFixture.text(state).contains("another text"))
        #expect(state.lists[.local]?.items.first?.excerpt == "another text")
        // A boost and a conversation show the status in their own ways.
        var boost = ReaderFixture.item("9")
        boost.statusID = "s1"
        _ = state.update(.arrived(.home, [boost]))
        #expect(state.update(.changed(ReaderFixture.item("1", text: "third"))) == [.load(.home)])
        state.type("4")
        _ = state.update(.loaded(.notifications, ReaderFixture.items([1])))
        state.press(.enter)
        _ = state.update(.thread(of: "s1", ReaderFixture.items([1, 7])))
        #expect(state.update(.changed(ReaderFixture.item("7"))) == [.thread("s1")])
    }

    @Test func aBoostThatIsUndoneDisappears() {
        var boost = ReaderFixture.item("9")
        boost.statusID = "s1"
        var state = ReaderFixture.state([boost] + ReaderFixture.items([2, 1]))
        _ = state.update(.deleted("9"))
        #expect(state.list.items.map(\.id) == ["2", "1"])
        _ = state.update(.deleted("s1"))
        #expect(state.list.items.map(\.id) == ["2"])
    }

    @Test func aConversationThatIsLoadedAgainStaysWhereItIs() {
        var state = ReaderFixture.state([ReaderFixture.item("1")], columns: 60, rows: 20)
        state.press(.enter)
        let long = ReaderFixture.item("1", text: (0..<30).map { "line \($0)" }.joined(separator: "\n"))
        _ = state.update(.thread(of: "s1", [long, ReaderFixture.item("2")]))
        state.type("jjj")
        _ = state.update(.thread(of: "s1", [ReaderFixture.item("0"), long, ReaderFixture.item("2")]))
        #expect(state.selected?.id == "1" && state.detail.top == 1 && state.detail.offset == 3)
    }

    @Test func openingAConversationMarksItAsRead() {
        var state = ReaderFixture.state([])
        state.type("5")
        _ = state.update(.loaded(.conversations, ReaderFixture.items([1])))
        #expect(state.press(.enter) == [.thread("s1"), .markRead(conversation: "1")])
    }

    @Test func theFirstRowSaysWhereInAConversationOneIs() {
        var state = ReaderFixture.state(ReaderFixture.items([3, 2, 1]))
        state.press(.enter)
        _ = state.update(.thread(of: "s3", ReaderFixture.items([2, 3, 7])))
        #expect(ReaderFixture.text(state).contains("Home (2 of 3 in the conversation)"))
    }

    @Test(arguments: [60, 80, 120]) func theHelpFits(columns: Int) {
        var state = ReaderFixture.state([], columns: columns, rows: 20)
        state.type("?")
        let text = ReaderFixture.text(state)
        #expect(text.contains("follow, in a profile") && text.contains("cancel, or quit"))
    }
}
