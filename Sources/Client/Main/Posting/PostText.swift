import FeedClientKit
import FeedTerminal
import Foundation

/// The text of a post, and where it comes from (``Composer``).
struct PostText {
    /// The origin of a text.
    enum Origin: Equatable {
        /// The command line, or a pipe: the user has it, or can produce it again.
        case given
        /// An editor, in which the user saw and changed everything.
        case edited
        /// A prompt.
        case typed
    }

    var text: String
    var origin: Origin
    /// The draft of an earlier attempt that the text replaces; its options and media belong to the text.
    var draft: StoredDraft?

    /// Whether the text exists nowhere else.
    var isPrecious: Bool { origin != .given }
}

/// Obtains the text of a post. A post that the server refuses is a draft, which `drafts edit` continues; so is the text
/// of an edit, or of a post that the outbox could not store, until it has been sent.
struct Composer {
    private let drafts: DraftStore
    private let folder: String
    private let account: OutboxAccount
    /// The status to reply to, and the status to edit.
    private let (inReplyToID, editedID): (String?, String?)
    /// The draft that the user continues; `nil` for a new text.
    private let chosen: StoredDraft?

    /// - Parameter folder: The state folder.
    init(
        folder: String, account: OutboxAccount, inReplyTo: String? = nil, editing: String? = nil,
        draft chosen: StoredDraft? = nil
    ) {
        (self.folder, self.account, self.chosen) = (folder, account, chosen)
        (inReplyToID, editedID) = (inReplyTo, editing)
        drafts = DraftStore(folder: folder)
    }

    init(_ global: GlobalOptions, inReplyTo: String? = nil, editing: String? = nil, draft: StoredDraft? = nil) throws {
        self.init(
            folder: GlobalOptions.folders.state, account: OutboxAccount(try global.login()), inReplyTo: inReplyTo,
            editing: editing, draft: draft)
    }

    /// The text from the command line, from standard input, from an editor, or from a prompt.
    /// - Parameters:
    ///   - words: The words on the command line; `-` stands for standard input.
    ///   - opening: The text with which an editor begins.
    ///   - isOptional: Whether the status may have no text. If so, the user is not asked for one.
    /// - Throws: ``FeedClientError`` `.failed` if nothing was written.
    func text(_ words: [String], opening: String = "", isOptional: Bool = false) throws -> PostText {
        if !words.isEmpty, words != ["-"] { return given(words.joined(separator: " ")) }
        guard words.isEmpty, isatty(STDIN_FILENO) == 1 else { return given(try TextPrompt.piped()) }
        if isOptional, chosen == nil { return given("") }
        if chosen == nil { mentionDraft() }
        let text = try TextEditor().map { try edited($0, opening) } ?? typed(opening)
        guard isWritten(text, opening, isOptional: isOptional) else {
            if let draft = text.draft { drafts.remove(draft.id) }
            throw FeedClientError(.failed, "Nothing was written, so nothing is sent")
        }
        return text
    }

    /// A new text does not replace an earlier one, whose poll, media and visibility it would take over unseen.
    private func mentionDraft() {
        let draft = drafts.drafts().last { draft in
            (draft.account, draft.editedID) == (account, editedID) && draft.post.draft.inReplyToID == inReplyToID
        }
        guard let draft else { return }
        StandardError.line("draft \(draft.id) could not be sent; feedclient drafts edit \(draft.id) continues it")
    }

    private func isWritten(_ text: PostText, _ opening: String, isOptional: Bool) -> Bool {
        guard Self.isBlank(text.text) else { return Self.words(text.text) != Self.words(opening) }
        // The user can only empty a text, and so drop the draft, if the draft had one.
        return isOptional || text.draft.map { Self.isBlank($0.post.draft.text) && !$0.post.files.isEmpty } ?? false
    }

    private func given(_ text: String) -> PostText { PostText(text: text, origin: .given, draft: chosen) }

    private func edited(_ editor: TextEditor, _ opening: String) throws -> PostText {
        let before = chosen?.post.draft.text ?? opening
        if let chosen {
            show(chosen)
            if !Self.isBlank(before) { StandardError.line("the editor shows its text; empty it to drop the draft") }
        }
        let text = TextPrompt.trimmed(try editor.edit(before, in: folder))
        guard chosen == nil || Self.words(text) != Self.words(before) || confirmsUnchanged() else {
            throw FeedClientError(.failed, "The text was not changed, so nothing is sent")
        }
        return PostText(text: text, origin: .edited, draft: chosen)
    }

    /// An editor that is quit without a change may mean either.
    private func confirmsUnchanged() -> Bool {
        TextPrompt.choice("The text is unchanged. Send it?", of: ["y", "n"]) == "y"
    }

    private func typed(_ opening: String) throws -> PostText {
        if let draft = chosen {
            show(draft)
            StandardError.line("This text could not be sent:\n" + SafeText.block(draft.post.draft.text))
            switch TextPrompt.choice("Send, edit or discard?", of: ["s", "e", "d"]) {
            case "s": return PostText(text: draft.post.draft.text, origin: .edited, draft: draft)
            case "e":
                let text = TextPrompt.lines("Text")
                return PostText(text: text, origin: .typed, draft: Self.isBlank(text) ? nil : draft)
            case "d":
                drafts.remove(draft.id)
                throw FeedClientError(.failed, "The draft was dropped, so nothing is sent")
            default: throw FeedClientError(.failed, "Nothing was chosen, so nothing is sent")
            }
        }
        if !opening.isEmpty { StandardError.line(SafeText.block(opening)) }
        return PostText(text: TextPrompt.lines("Text"), origin: .typed)
    }

    /// Names what belongs to a draft besides its text, such as a poll, and the reason for which it was refused.
    private func show(_ draft: StoredDraft) {
        let line = OutboxRenderer.text(draft, now: Milliseconds.now)
        for line in ScreenOutput().encoded([line]) { StandardError.line(line) }
    }

    /// Sends a status that is not in the outbox. Until it has been sent, it is a draft.
    /// - Parameter text: The text as the user wrote it, and its origin.
    func sending<Value>(
        _ text: PostText, _ post: OutboxPost, _ send: () async throws -> Value
    ) async throws -> Value {
        let draft = StoredDraft(post, by: account, editing: editedID, id: text.draft?.id)
        let isKept = text.isPrecious && keep(draft)
        do {
            let sent = try await send()
            forget(text, post)
            return sent
        } catch {
            guard isKept || keep(draft) else { throw error }
            throw error.savedAsDraft(draft.id)
        }
    }

    /// Removes the draft that a text replaces, and those with the same content, because the post is stored elsewhere.
    func forget(_ text: PostText, _ post: OutboxPost) {
        if let draft = text.draft { drafts.remove(draft.id) }
        drafts.removeCopies(of: StoredDraft(post, by: account, editing: editedID))
    }

    /// Keeps a post that is not accepted, so that the user can change it.
    /// - Returns: The error to report, which says where the post is.
    func keepingRefused(_ text: PostText, _ post: OutboxPost, _ error: any Error) -> any Error {
        let reason = (error as? FeedClientError)?.message
        let draft = StoredDraft(post, by: account, editing: editedID, reason: reason, id: text.draft?.id)
        return keep(draft) ? error.savedAsDraft(draft.id) : error
    }

    /// - Throws: ``FeedClientError`` `.failed` for a status with neither text nor media.
    static func check(_ text: String, hasMedia: Bool) throws(FeedClientError) {
        guard !isBlank(text) || hasMedia else {
            throw FeedClientError(.failed, "The text is blank, so nothing is sent")
        }
    }

    static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// The text without regard to white space, which editors change.
    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    /// - Returns: Whether it was stored. A failure is not fatal: the status may still be sent.
    private func keep(_ draft: StoredDraft) -> Bool {
        guard !Self.isBlank(draft.post.draft.text) || !draft.post.files.isEmpty else { return false }
        do {
            try drafts.save(draft)
            return true
        } catch {
            StandardError.line("warning: the text could not be kept: " + SafeText.line("\(error)"))
            return false
        }
    }
}

extension Error {
    /// Adds that the post is a draft now, and how to continue.
    func savedAsDraft(_ id: String) -> any Error {
        adding(hint: "Draft saved; feedclient drafts edit \(id) edits it.")
    }

    /// Adds a hint, which is printed at once for an error that is not reported.
    func adding(hint: String) -> any Error {
        guard let error = self as? FeedClientError else {
            StandardError.line(hint)
            return self
        }
        return FeedClientError(
            error.code, error.message, hint: [error.hint, hint].compactMap(\.self).joined(separator: " "),
            cause: error.cause, status: error.status, retryAfter: error.retryAfter)
    }
}
