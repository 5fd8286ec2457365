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

    private static let account = OutboxAccount(server: "http://a.test", username: "ada")

    private let folder: TemporaryFolder
    private let composer: Composer
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        composer = Composer(folder: folder.path, account: Self.account)
        store = DraftStore(folder: folder.path)
    }

    /// Fails to send a text.
    private func lose(_ text: PostText) async throws {
        do {
            try await composer.sending(text, Self.post(text.text)) { throw Lost() }
            Issue.record("the text was sent")
        } catch is Lost {}
    }

    private static func post(_ text: String) -> OutboxPost { OutboxPost(draft: Draft(text: text)) }

    private var texts: [String] { store.drafts().map(\.post.draft.text) }

    private func given(_ text: String) throws -> PostText { try composer.text([text]) }

    @Test func textIsKeptUntilItHasBeenSent() async throws {
        try await lose(try given("hello"))
        #expect(texts == ["hello"])
        try await composer.sending(try given("hello"), Self.post("hello")) {}
        #expect(texts.isEmpty)
    }

    @Test func typedTextIsKeptBeforeItIsSent() async throws {
        var draft = Draft(text: "@bob typed")
        (draft.visibility, draft.spoilerText) = ("direct", "cw")
        let text = PostText(text: "typed", origin: .typed)
        try await composer.sending(text, OutboxPost(draft: draft)) {
            #expect(store.drafts().map(\.post.draft) == [draft])
        }
        #expect(texts.isEmpty)
    }

    /// A text from the command line does not replace a typed one, nor does sending it remove the typed one.
    @Test func typedTextOutlivesOthers() async throws {
        try await lose(PostText(text: "typed", origin: .edited))
        try await lose(try given("given"))
        #expect(Set(texts) == ["typed", "given"])
        try await composer.sending(try given("given"), Self.post("given")) {}
        #expect(texts == ["typed"])
    }

    @Test func blankTextIsNotKept() async throws {
        try await lose(try given("  \n"))
        #expect(texts.isEmpty)
    }

    @Test func wordsFormOneText() throws {
        let text = try composer.text(["two", "words", "-"])
        #expect(text.text == "two words -" && text.origin == .given && !text.isPrecious)
    }

    /// A state folder that cannot be written does not prevent a post.
    @Test func unwritableFolderIsNoObstacle() async throws {
        let file = try folder.file("file", "")
        let composer = Composer(folder: file, account: Self.account)
        let text = PostText(text: "typed", origin: .typed)
        #expect(try await composer.sending(text, Self.post("typed")) { 7 } == 7)
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
        let text = PostText(text: "hello", origin: .given)
        let post = OutboxPost(draft: Draft(text: "hello"), files: [MediaFile("/a.png", description: "a boat")])
        let refusal = FeedClientError(.failed, "no", hint: "Why.")
        let error = composer.keepingRefused(text, post, refusal) as? FeedClientError
        let draft = try #require(store.drafts().first)
        #expect(draft.post == post && draft.reason == "no")
        #expect(error?.message == "no")
        #expect(error?.hint == "Why. Draft saved; feedclient drafts edit \(draft.id) edits it.")
        // Media without a text are a draft, too; an empty post is not.
        _ = composer.keepingRefused(text, OutboxPost(draft: Draft(text: " "), files: post.files), refusal)
        _ = composer.keepingRefused(text, Self.post(" "), refusal)
        #expect(store.drafts().count == 2)
    }

    /// The text of a draft that the user has chosen can be replaced on the command line.
    @Test func chosenDraftIsReplaced() async throws {
        try await lose(try given("too long"))
        let draft = try #require(store.drafts().first)
        let composer = Composer(folder: folder.path, account: Self.account, draft: draft)
        let text = try composer.text(["short"])
        #expect(text.draft == draft)
        composer.forget(text, Self.post("short"))
        #expect(texts.isEmpty)
    }

    @Test func editorCommandQuotesThePath() {
        #expect(TextEditor.line("code --wait", "/a b/it's", isOutput: true) == #"code --wait '/a b/it'\''s'"#)
        #expect(TextEditor.line("vi", "/a", isOutput: false) == "vi '/a' >&2")
    }
}
