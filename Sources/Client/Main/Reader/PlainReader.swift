import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// The reader line by line, for screen readers: prints one entry after the other, and takes the keys of the reader as
/// commands, each on a line.
final class PlainReader {
    private enum Input: Sendable {
        case line(String)
        case message(ReaderEvent)
        case end
    }

    private static let help = """
        Enter or j: next. k: previous. g, G: first, last. n: oldest new entry.
        t: conversation. q: back, or quit.
        1 to 8: home, local, public, notifications, conversations, bookmarks,
        favourites, outbox.
        b, f, B: boost, favourite, bookmark, or undo. v 1 2: vote. d: delete.
        o: browser. u: profile. F: follow, in a profile. m: pictures and files.
        R: refresh. r TEXT: reply. c TEXT: new status. e TEXT: edit, with this text.
        / TEXT: search. # TAG. @ NAME.
        """
    /// The commands that are keys of the reader without more.
    private static let keys = "12345678gGnqbfBdouFR"

    /// The lines of an entry that are scrolled through at most.
    private static let maximumLines = 1000
    private static let unknown = "Unknown command; ? lists them."

    private let global: GlobalOptions
    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let screen = ScreenOutput()
    private var state: ReaderState
    /// The entry that was printed last.
    private var printed: String?
    /// The entries of the conversation that have been printed; it arrives from the disk, and then from the server.
    private var conversation: Set<String> = []
    /// The forms that have been asked for, and their texts.
    private var pending: [(request: ReaderEffect, text: String)] = []
    /// The status that is edited if the answer is yes, and its new text.
    private var edit: (id: String, text: String)?
    /// Whether something has been said since the last command or message.
    private var hasSpoken = false
    /// Whether the user waits for what is being loaded.
    private var isAwaited = true

    init(_ global: GlobalOptions) throws {
        self.global = global
        (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        state = ReaderState(columns: 80, rows: 24, account: try global.readerAccount())
    }

    /// Runs until the user quits, or the input ends.
    func run() async {
        let items = ReaderItemRenderer(
            style: TextStyle(hasColor: false, isASCII: screen.screen.isASCII), account: state.account)
        let (continuation, title) = (continuation, state.source.title)
        let worker = ReaderActions(
            loader: ReaderLoader(global: global, items: items) { continuation.yield(.message($0)) })
        say(title + ". ? lists the commands.")
        readLines()
        await ReaderTasks().perform(with: worker) { perform in
            var effects = state.start()
            while !effects.contains(.quit) {
                for effect in effects { perform(effect) }
                guard let input = await inputs.first(where: { _ in true }) else { return }
                effects = apply(input)
            }
        }
        await end()
    }

    /// Says what has been heard since the user has quit.
    private func end() async {
        continuation.finish()
        for await case .message(let message) in inputs { if let text = message.lastWords { say(text) } }
        for (_, text) in pending { say("Not sent:\n" + text) }
        if let edit { say("Not sent:\n" + edit.text) }
        await OutboxFlush.reportWaiting(global)
    }

    /// Lines are awaited on a thread of their own, so that messages are still heard.
    private func readLines() {
        let continuation = continuation
        Thread {
            while let line = readLine() { continuation.yield(.line(line)) }
            continuation.yield(.end)
        }.start()
    }

    // MARK: Input

    private func apply(_ input: Input) -> [ReaderEffect] {
        switch input {
        case .end: return [.quit]
        case .line(let line):
            let source = state.source
            hasSpoken = false
            // It has been said already.
            state.notice = nil
            let effects = run(line)
            if state.source != source {
                say(state.source.title + ".")
                (printed, isAwaited) = (nil, false)
            }
            report(isAsked: true)
            answer(line, effects)
            return effects
        case .message(let message):
            switch message {
            case .opened(let request, let form): return fill(form, for: request)
            // Nobody could see a form.
            case .form:
                message.lastWords.map(say)
                return []
            default: break
            }
            let (count, offline, selected) = (state.list.unseen.count, state.offline, state.selected?.id)
            hasSpoken = false
            let effects = state.update(message)
            if state.list.unseen.count > count { say("\(state.list.unseen.count) new above; n reads them") }
            if case .notice(let text) = message { say(text) }
            if case .offline(let reason?) = message, isAwaited || reason != offline { say("Offline: " + reason) }
            if case .thread(_, let items) = message {
                for item in items where conversation.insert(item.id).inserted { show(item) }
                // The conversation contains the status that a selected boost shows, not the boost.
                if state.focus == .detail { printed = state.selected?.id }
            }
            switch message {
            // It was read up to there on another device, or begins with an account.
            case .position, .loaded, .pinned: if state.selected?.id != selected { printed = nil }
            default: break
            }
            report(isAsked: false)
            answer(message)
            return effects
        }
    }

    private func run(_ line: String) -> [ReaderEffect] {
        if case .question = state.mode {
            if !line.hasPrefix("y") { say("Nothing has been changed.") }
            return press(line.hasPrefix("y") ? "y" : "n")
        }
        if edit != nil { return answerEdit(isYes: line.hasPrefix("y")) }
        let key = line.first ?? "j"
        let text = line.dropFirst().trimmingCharacters(in: .whitespaces)
        switch key {
        case "c" where !text.isEmpty: return state.account.isEmpty ? press("c") : send(text, in: ReaderForm())
        case "r" where !text.isEmpty: return reply(text)
        case "e" where !text.isEmpty: return askToEdit(text)
        case "/" where !text.isEmpty, "#" where !text.isEmpty, "@" where !text.isEmpty:
            return press(key) + state.update(.key(.paste(text))) + state.update(.key(.enter))
        case "v": return vote(text)
        case "c", "r", "e", "/", "#", "@": say("A text follows \(key); ? lists the commands.")
        case _ where !text.isEmpty: say(Self.unknown)
        case "?": say(Self.help)
        case "t":
            conversation = []
            return state.update(.key(.enter))
        case "m": sayMedia()
        case "j", "k": return step(key)
        case _ where Self.keys.contains(key): return press(key)
        default: say(Self.unknown)
        }
        return []
    }

    /// Says what has become of a command that has shown nothing.
    private func answer(_ line: String, _ effects: [ReaderEffect]) {
        for effect in effects {
            switch effect {
            case .react(let reaction, _, let undo): say(reaction.report(isUndone: undo))
            case .open(let url): say(url)
            // These follow from what is selected.
            case .seen, .older: break
            case .resume: (isAwaited, hasSpoken) = (true, true)
            case .load, .flush: (isAwaited, hasSpoken) = (isAwaited || line.first == "R", true)
            // It is answered as soon as it is done.
            default: hasSpoken = true
            }
        }
        guard !hasSpoken else { return }
        switch line.first ?? "j" {
        case "j", "k", "g", "G", "n": sayEnd()
        // The conversation has been left.
        case "q": say(state.source.title + ".")
        default: say("There is nothing to do.")
        }
    }

    /// Says what has become of what the user waits for, unless that has been said or shown.
    private func answer(_ event: ReaderEvent) {
        guard isAwaited else { return }
        switch event {
        case .loaded(state.source, _, _): if !hasSpoken { sayNews() }
        case .older(_, _?), .offline(_?), .notice: break
        default: return
        }
        isAwaited = false
    }

    private func sayNews() {
        let count = state.list.unseen.count
        if state.list.items.isEmpty { return say(state.list.placeholder) }
        say(count > 0 ? "\(count) new above; n reads them" : "There is nothing new.")
    }

    /// Says why there is no other entry.
    private func sayEnd() {
        let list = state.list
        isAwaited = isAwaited || list.isLoading || list.isWaiting
        if list.isLoading || list.items.isEmpty { return say(list.placeholder) }
        let isLoadingMore = list.isWaiting && state.focus == .list
        say(isLoadingMore ? "Older entries are being loaded." : "There is no other entry.")
    }

    private func press(_ key: Character) -> [ReaderEffect] { state.update(.key(.character(key))) }

    /// Selects another entry. In a conversation, the keys of the reader scroll through a long one first.
    private func step(_ key: Character) -> [ReaderEffect] {
        let id = state.selected?.id
        var effects = press(key)
        for _ in 0..<Self.maximumLines where state.focus == .detail && state.selected?.id == id {
            effects += press(key)
        }
        return effects
    }

    /// Reading continues while the form is loaded.
    private func reply(_ text: String) -> [ReaderEffect] {
        let effects = press("r")
        guard case .opening(let request, _) = state.mode else {
            say("Not sent:\n" + text)
            return effects
        }
        pending.append((request, text))
        return effects + state.update(.key(.escape))
    }

    /// The text of the command follows the names in a reply, and replaces that of a status.
    private func fill(_ form: ReaderForm?, for request: ReaderEffect) -> [ReaderEffect] {
        guard let index = pending.firstIndex(where: { $0.request == request }) else { return [] }
        let text = pending.remove(at: index).text
        guard let form else {
            say("Not sent:\n" + text)
            return []
        }
        return send(form.editing == nil ? form.text.text + text : text, in: form)
    }

    private func askToEdit(_ text: String) -> [ReaderEffect] {
        guard let item = state.selected, let id = item.statusID, item.isOwn else {
            say("Not sent:\n" + text)
            return press("e")
        }
        edit = (id, text)
        say("Edit this status? (y/n)")
        return []
    }

    private func answerEdit(isYes: Bool) -> [ReaderEffect] {
        defer { edit = nil }
        guard isYes, let edit else {
            say("Not edited.")
            return []
        }
        pending.append((.edit(edit.id), edit.text))
        return [.edit(edit.id)]
    }

    /// No form is left open, since it could not be seen.
    private func send(_ text: String, in form: ReaderForm) -> [ReaderEffect] {
        var form = state.completed(form)
        form.text = TextInput(SafeText.block(text))
        guard form.canBeSent else {
            say("Not sent; it has \(form.length) of \(form.limit) characters:\n" + text)
            return []
        }
        return [.post(form)]
    }

    /// - Parameter text: The numbers of the options, from 1.
    private func vote(_ text: String) -> [ReaderEffect] {
        let choices = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { Int(Substring($0)) }.map { $0 - 1 }
        guard let id = state.selected?.statusID, !choices.isEmpty else {
            say("v takes the numbers of the options, as in v 1.")
            return []
        }
        return [.vote(id, choices)]
    }

    private func sayMedia() {
        let media = state.selected?.media ?? []
        if media.isEmpty { say("There are no pictures or files.") }
        for file in media {
            let description = file.description.isEmpty ? "(no description)" : file.description
            say(file.title + ": " + description + (file.address.map { "\n" + $0 } ?? ""))
        }
    }

    // MARK: Output

    /// Prints what has been said, and the selected entry if it is another one.
    /// - Parameter isAsked: Whether the user waits for an answer.
    private func report(isAsked: Bool) {
        if isAsked, let notice = state.notice { say(notice) }
        if case .question(let text, _) = state.mode { return say(text + " (y/n)") }
        guard let item = state.selected, item.id != printed, isAsked || printed == nil else { return }
        printed = item.id
        show(item)
    }

    private func show(_ item: ReaderItem) {
        hasSpoken = true
        ScreenOutput.write(screen.encoded(item.lines(.max, [:])))
    }

    private func say(_ text: String) {
        hasSpoken = true
        let lines = SafeText.block(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        ScreenOutput.write(screen.encoded(lines))
    }
}
