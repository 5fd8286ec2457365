import FeedClientKit
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import feedclient

/// Texts are kept until they have been sent.
@Suite(.hangLimit)
struct ComposerTests {
    private struct Lost: Error {}

    private let folder: TemporaryFolder
    private let composer: Composer
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        composer = Composer(folder: folder.path, purpose: "post")
        store = DraftStore(folder: folder.path)
    }

    /// Fails to send a text.
    private func lose(_ text: StatusText) async throws {
        do {
            try await composer.sending(text, Draft(text: text.text)) { throw Lost() }
            Issue.record("the text was sent")
        } catch is Lost {}
    }

    private func given(_ text: String) throws -> StatusText { try composer.text([text]) }

    @Test func textIsKeptUntilItHasBeenSent() async throws {
        try await lose(try given("hello"))
        #expect(store.draft(for: "post")?.text == "hello")
        try await composer.sending(try given("hello"), Draft(text: "hello")) {}
        #expect(store.draft(for: "post") == nil)
    }

    @Test func typedTextIsKeptBeforeItIsSent() async throws {
        var draft = Draft(text: "@bob typed")
        (draft.visibility, draft.spoilerText) = ("direct", "cw")
        let text = StatusText(text: "typed", origin: .typed)
        try await composer.sending(text, draft) {
            let kept = try #require(store.draft(for: "post"))
            #expect(kept.text == "@bob typed" && kept.visibility == "direct" && kept.spoilerText == "cw")
        }
        #expect(store.draft(for: "post") == nil)
    }

    /// A text from the command line does not replace a typed one, nor does sending it remove the typed one.
    @Test func typedTextOutlivesOthers() async throws {
        try await lose(StatusText(text: "typed", origin: .edited))
        try await lose(try given("given"))
        #expect(store.draft(for: "post")?.text == "typed")
        try await composer.sending(try given("given"), Draft(text: "given")) {}
        #expect(store.draft(for: "post")?.text == "typed")
        #expect(store.draft(for: "reply 1") == nil)
    }

    @Test func blankTextIsNotKept() async throws {
        try await lose(try given("  \n"))
        #expect(store.draft(for: "post") == nil)
    }

    @Test func wordsFormOneText() throws {
        let text = try composer.text(["two", "words", "-"])
        #expect(text.text == "two words -" && text.origin == .given && !text.isPrecious)
    }

    /// A state folder that cannot be written does not prevent a post.
    @Test func unwritableFolderIsNoObstacle() async throws {
        let file = try folder.file("file", "")
        let composer = Composer(folder: file, purpose: "post")
        let text = StatusText(text: "typed", origin: .typed)
        #expect(try await composer.sending(text, Draft(text: "typed")) { 7 } == 7)
    }

    @Test(
        arguments: [
            (["EDITOR": "vi"], "vi"), (["EDITOR": "vi", "VISUAL": "code --wait"], "code --wait"),
            (["VISUAL": " ", "EDITOR": "nano"], "nano"), (["VISUAL": ""], nil), ([:], nil),
            (["PATH": "/nowhere:/usr/bin", "EDITOR": ""], nil), (["PATH": "/nowhere"], nil),
        ] as [([String: String], String?)])
    func editorComesFromTheEnvironment(environment: [String: String], command: String?) {
        #expect(TextEditor(environment: environment)?.command == command)
    }

    @Test func standardEditorIsFoundInThePath() throws {
        let place = try TemporaryFolder()
        let environment = ["PATH": "/nowhere:" + place.path]
        for name in ["vi", "editor"] {
            let file = try place.file(name, "")
            #expect(TextEditor(environment: environment)?.command != name)
            #expect(chmod(file, 0o700) == 0)
            #expect(TextEditor(environment: environment)?.command == name)
        }
    }

    @Test func draftIsNamedInTheHint() throws {
        let text = StatusText(text: "hello", origin: .given)
        let post = OutboxPost(draft: Draft(text: "hello"), files: [MediaFile("/a.png", description: "a boat")])
        #expect(composer.keepRefused(text, post))
        #expect(store.draft(for: "post")?.media == post.files)
        let error = composer.explained(FeedClientError(.failed, "no", hint: "Why.")) as? FeedClientError
        #expect(error?.message == "no" && error?.hint == "Why. Draft saved; feedclient post edits it.")
        #expect(!composer.keepRefused(text, OutboxPost(draft: Draft(text: " "), files: post.files)))
    }

    @Test func editorCommandQuotesThePath() {
        #expect(TextEditor.line("code --wait", "/a b/it's", isOutput: true) == #"code --wait '/a b/it'\''s'"#)
        #expect(TextEditor.line("vi", "/a", isOutput: false) == "vi '/a' >&2")
    }
}
