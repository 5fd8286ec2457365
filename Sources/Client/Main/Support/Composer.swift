import FeedClientKit
import FeedTerminal
import Foundation

/// Obtains the text of a status. A text that the server refuses is kept on the disk, and offered again; so is that of an
/// edit, or of a post that the outbox could not store, until it has been sent.
struct Composer {
    private let drafts: DraftStore
    private let folder: String
    /// What the text is for; a draft is offered again only for the same purpose.
    private let purpose: String
    /// The command that offers the draft again.
    private let command: String

    /// - Parameters:
    ///   - folder: The state folder.
    ///   - purpose: Any text that no other purpose has.
    ///   - subject: What the text is for, as on the command line.
    init(folder: String, purpose: String, subject: String = "post") {
        (self.folder, self.purpose, command) = (folder, purpose, "feedclient " + subject)
        drafts = DraftStore(folder: folder)
    }

    /// - Parameter subject: What the text is for, such as `reply 123`.
    init(_ global: GlobalOptions, _ subject: String) throws {
        let login = try global.login()
        self.init(
            folder: GlobalOptions.folders.state, purpose: "\(login.server) \(login.username) \(subject)",
            subject: subject)
    }

    /// The text from the command line, from standard input, from an editor, or from a prompt.
    /// - Parameters:
    ///   - words: The words on the command line; `-` stands for standard input.
    ///   - opening: The text with which an editor begins.
    ///   - isOptional: Whether the status may have no text. If so, the user is not asked for one.
    /// - Throws: ``FeedClientError`` `.failed` if nothing was written.
    func text(_ words: [String], opening: String = "", isOptional: Bool = false) throws -> StatusText {
        if !words.isEmpty, words != ["-"] { return given(words.joined(separator: " ")) }
        guard words.isEmpty, isatty(STDIN_FILENO) == 1 else { return given(try TextPrompt.piped()) }
        if isOptional { return given("") }
        let draft = drafts.draft(for: purpose)
        let text = try TextEditor().map { try edited($0, opening, draft) } ?? typed(opening, draft)
        guard !Self.isBlank(text.text), Self.words(text.text) != Self.words(opening) else {
            if text.draft != nil { drafts.remove(for: purpose) }
            throw FeedClientError(.failed, "Nothing was written, so nothing is sent")
        }
        return text
    }

    private func given(_ text: String) -> StatusText { StatusText(text: text, origin: .given) }

    private func edited(_ editor: TextEditor, _ opening: String, _ draft: KeptDraft?) throws -> StatusText {
        if draft != nil { StandardError.line("the editor shows the text that could not be sent; empty it to drop it") }
        let text = try editor.edit(draft?.text ?? opening, in: folder)
        return StatusText(text: TextPrompt.trimmed(text), origin: .edited, draft: draft)
    }

    private func typed(_ opening: String, _ draft: KeptDraft?) -> StatusText {
        if let draft {
            StandardError.line("This text could not be sent:\n" + SafeText.block(draft.text))
            switch TextPrompt.choice("Send, edit or discard?", of: ["s", "e", "d"]) {
            case "s": return StatusText(text: draft.text, origin: .edited, draft: draft)
            case "d": drafts.remove(for: purpose)
            default:
                let text = TextPrompt.lines("Text")
                return StatusText(text: text, origin: .typed, draft: Self.isBlank(text) ? nil : draft)
            }
        } else if !opening.isEmpty {
            StandardError.line(SafeText.block(opening))
        }
        return StatusText(text: TextPrompt.lines("Text"), origin: .typed)
    }

    /// Sends a status. Until it has been sent, its text is kept.
    /// - Parameters:
    ///   - text: The text as the user wrote it, and its origin.
    ///   - draft: The status.
    func sending<Value>(
        _ text: StatusText, _ draft: Draft, _ send: () async throws -> Value
    ) async throws -> Value {
        let mayReplace = mayReplace(drafts.draft(for: purpose), text, draft.text)
        if text.isPrecious { keep(draft) }
        do {
            let sent = try await send()
            if mayReplace { drafts.remove(for: purpose) }
            return sent
        } catch {
            guard !Self.isBlank(draft.text), mayReplace, text.isPrecious || keep(draft) else { throw error }
            throw explained(error)
        }
    }

    /// Adds that the draft has been saved, and how to go on.
    func explained(_ error: any Error) -> any Error {
        let hint = "Draft saved; \(command) edits it."
        guard let error = error as? FeedClientError else {
            StandardError.line(hint)
            return error
        }
        return FeedClientError(
            error.code, error.message, hint: [error.hint, hint].compactMap(\.self).joined(separator: " "),
            cause: error.cause, status: error.status, retryAfter: error.retryAfter)
    }

    /// Removes the draft that a text was made from, or that it replaces, because the text is stored elsewhere.
    func forget(_ text: StatusText, _ draft: Draft) {
        if mayReplace(drafts.draft(for: purpose), text, draft.text) { drafts.remove(for: purpose) }
    }

    /// Keeps a post that the server has refused, so that the user can change it.
    /// - Returns: Whether it was kept.
    func keepRefused(_ text: StatusText, _ post: OutboxPost) -> Bool {
        let draft = post.draft
        return !Self.isBlank(draft.text) && mayReplace(drafts.draft(for: purpose), text, draft.text)
            && keep(draft, media: post.files)
    }

    /// The user still has a text that came from a file or an argument, so it must not replace a draft, which exists only
    /// here.
    private func mayReplace(_ earlier: KeptDraft?, _ text: StatusText, _ sent: String) -> Bool {
        text.isPrecious || earlier.map { $0.text == sent } ?? true
    }

    static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// The text without regard to white space, which editors change.
    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    /// - Returns: Whether it was stored. A failure is not fatal: the status may still be sent.
    @discardableResult private func keep(_ draft: Draft, media: [MediaFile] = []) -> Bool {
        let kept = KeptDraft(
            text: draft.text, spoilerText: draft.spoilerText, visibility: draft.visibility,
            media: media.isEmpty ? nil : media)
        do {
            try drafts.save(kept, for: purpose)
            return true
        } catch {
            StandardError.line("warning: the text could not be kept: " + SafeText.line("\(error)"))
            return false
        }
    }
}
