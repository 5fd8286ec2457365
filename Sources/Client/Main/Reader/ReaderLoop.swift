import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// The reader on a terminal: applies what happens to ``ReaderState``, draws it, and has effects performed by others, so that
/// a key is never delayed by a network.
final class ReaderLoop {
    private enum Input: Sendable {
        case terminal(RawTerminal.Event)
        /// A message for the account with a number. Of those of another one, most come too late.
        case message(ReaderEvent, session: Int)
    }

    private var global: GlobalOptions
    private let screen = TerminalCapabilities.current()
    private let output = ScreenRenderer(
        isSynchronized: ScreenRenderer.isSynchronized(ProcessInfo.processInfo.environment))
    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let terminal: RawTerminal
    private var state: ReaderState
    private var session = 0
    /// The screen as the terminal shows it; `nil` if that is unknown.
    private var shown: ScreenBuffer?
    /// The picture that the terminal shows in front of the cells.
    private var shownPicture: String?

    /// - Throws: ``FeedClientError`` `.usage` without a terminal; `.unauthorized` without a login or server.
    init(_ global: GlobalOptions) throws {
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        guard let terminal = RawTerminal(onEvent: { continuation.yield(.terminal($0)) }) else {
            throw FeedClientError(.usage, "The reader needs a terminal", hint: "Run feedclient timeline instead.")
        }
        (self.global, self.inputs, self.continuation, self.terminal) = (global, inputs, continuation, terminal)
        let size = RawTerminal.size
        state = ReaderState(
            columns: size.columns, rows: size.rows, account: try global.readerAccount(),
            showsPictures: ReaderPictureLoader.pictureProtocol(screen) != .none)
    }

    /// Runs until the user quits. What comes too late for the screen is said afterwards.
    func run() async {
        terminal.enter()
        redraw()
        var next: GlobalOptions? = global
        while let global = next {
            self.global = global
            next = await ReaderConnections.sharing { await runSession() }
        }
        terminal.leave()
        continuation.finish()
        for await case .message(let message, _) in inputs {
            if let text = message.lastWords { StandardError.line(SafeText.block(text)) }
        }
        await OutboxFlush.reportWaiting(global)
    }

    /// Reads as one account.
    /// - Returns: The options for another account, if the user has chosen one; `nil` to quit.
    private func runSession() async -> GlobalOptions? {
        let (worker, tasks) = (makeWorker(), ReaderTasks())
        return await tasks.perform(with: worker) { perform in
            let next = await runLoop(tasks, perform)
            // A network that does not answer may delay the end, but not the view of the terminal.
            if next == nil { terminal.leave() }
            return next
        }
    }

    /// - Parameter perform: Has an effect performed, without waiting for that.
    private func runLoop(_ tasks: ReaderTasks, _ perform: (ReaderEffect) -> Void) async -> GlobalOptions? {
        var effects = state.start()
        var source: ReaderSource?
        while true {
            if state.source != source { tasks.open(state.source) }
            source = state.source
            for effect in effects {
                switch effect {
                case .quit: return nil
                case .account(let name): if let options = change(to: name) { return options }
                default: if !runHere(effect) { perform(effect) }
                }
            }
            draw()
            guard let input = await inputs.first(where: { _ in true }) else { return nil }
            effects = apply(input)
        }
    }

    private func apply(_ input: Input) -> [ReaderEffect] {
        RawTerminal.prepareThread()
        switch input {
        case .message(let message, let session):
            if session == self.session { return state.update(message) }
            return message.lastWords.map { state.update(.notice($0)) } ?? []
        case .terminal(.keys(let keys)): return keys.flatMap { state.update(.key($0)) }
        case .terminal(.resize):
            shown = nil
            let size = RawTerminal.size
            return state.update(.resize(columns: size.columns, rows: size.rows))
        case .terminal(.continued):
            outside {}
            return []
        case .terminal(.lost): return [.quit]
        }
    }

    private func draw() {
        let grid = ReaderScreen.cells(state, isASCII: screen.isASCII, hasColor: screen.hasColor)
        let picture = state.picture
        // A picture disappears when the screen is cleared.
        if picture != shownPicture { shown = nil }
        let isCleared = shown == nil
        terminal.write(output.text(from: shown, to: grid))
        if isCleared, let picture { terminal.write(picture) }
        (shown, shownPicture) = (grid, picture)
    }

    // MARK: The terminal for others

    /// - Returns: Whether the effect concerns the terminal, and has been performed.
    private func runHere(_ effect: ReaderEffect) -> Bool {
        switch effect {
        case .redraw: redraw()
        case .suspend:
            terminal.suspend()
            redraw()
        case .editor(let form): edit(form)
        case .open(let url): open(url)
        default: return false
        }
        return true
    }

    private func outside(_ body: () -> Void) {
        terminal.leave()
        body()
        terminal.enter()
        redraw()
    }

    /// Has everything drawn. No signal has said that the size has changed while others used the terminal.
    private func redraw() {
        shown = nil
        let (size, layout) = (RawTerminal.size, state.layout)
        if size != (layout.columns, layout.rows) { continuation.yield(.terminal(.resize)) }
    }

    /// The form is shown again in any case.
    private func edit(_ form: ReaderForm) {
        var form = form
        defer { tell(.form(form)) }
        guard let editor = TextEditor() else { return say("There is no editor; set EDITOR.") }
        outside {
            do {
                let text = try editor.edit(form.text.text, in: GlobalOptions.folders.state)
                form.text = TextInput(TextPrompt.trimmed(text))
            } catch { say((error as? FeedClientError)?.message ?? "\(error)") }
        }
    }

    private func open(_ url: String) {
        guard let browser = WebBrowser() else { return say(url) }
        let isDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProcessInfo.processInfo.environment[$0] != nil }
        let body = { do { try browser.open(url, waits: !isDesktop) } catch { self.say("The browser failed.") } }
        // A browser in the terminal needs all of it.
        if isDesktop { body() } else { outside(body) }
    }

    private func say(_ text: String) { tell(.notice(text)) }

    private func tell(_ event: ReaderEvent) { continuation.yield(.message(event, session: session)) }

    // MARK: Accounts

    private func change(to name: String) -> GlobalOptions? {
        var options = global
        (options.account, options.server) = ("@" + name, nil)
        guard let session = try? options.session() else {
            say("There is no login " + name + ".")
            return nil
        }
        self.session += 1
        // The new session starts by loading its first source.
        _ = state.update(.account(session.login?.username ?? ""))
        // What is being sent may delay the rest.
        draw()
        return session.login.map(options.pinned(to:)) ?? options
    }

    private func makeWorker() -> ReaderActions {
        var style = TextStyle(screen)
        // A cell holds a character, and no address.
        style.hasHyperlinks = false
        let items = ReaderItemRenderer(style: style, account: state.account)
        let (continuation, session) = (continuation, session)
        return ReaderActions(
            loader: ReaderLoader(global: global, items: items) {
                RawTerminal.prepareThread()
                continuation.yield(.message($0, session: session))
            })
    }
}
