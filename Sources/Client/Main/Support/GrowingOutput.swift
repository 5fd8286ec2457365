import FeedTerminal

/// Prints lines in several portions, and keeps none of them: all in a pager as soon as they do not fit on the terminal.
final class GrowingOutput {
    private enum State {
        /// The lines have fitted so far, and are held.
        case undecided([String])
        case direct
        case paged(RunningPager)
        /// The user has quit the pager.
        case ended
    }

    /// More than a pipe holds, in bytes: a pager that has been given more has read some of it.
    private static let maximumKept = 1 << 20

    private let output: ScreenOutput
    private var state: State
    /// What the pager was given, in case that it does not exist; `nil` if it does.
    private var kept: String? = ""

    /// - Parameter isPaged: Whether lines that do not fit are shown in a pager.
    init(isPaged: Bool = true, screen: TerminalCapabilities = .current()) {
        output = ScreenOutput(screen: screen)
        state = isPaged && output.pagerCommand != nil ? .undecided([]) : .direct
    }

    /// Runs `body`, and then waits until the user quits the pager, also after an error.
    func use<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { end() }
        return try await body()
    }

    /// - Returns: Whether there is a use for more lines: the user has not quit the pager, and the lines could be written.
    @discardableResult func show(_ lines: [String]) -> Bool {
        let lines = output.encoded(lines)
        switch state {
        case .undecided(let held):
            state = .undecided(held + lines)
            guard let command = output.pager(for: held + lines) else { return true }
            guard let pager = RunningPager(command: command) else { return settle() }
            state = .paged(pager)
            return give(held + lines, to: pager)
        case .direct: return ScreenOutput.write(lines)
        case .paged(let pager): return give(lines, to: pager)
        case .ended: return false
        }
    }

    /// Prints the lines that have fitted so far, and all further ones, without a pager.
    @discardableResult func settle() -> Bool {
        guard case .undecided(let held) = state else { return true }
        state = .direct
        return ScreenOutput.write(held)
    }

    /// Waits until the user quits the pager. Must be called once, also after an error.
    func end() {
        settle()
        if case .paged(let pager) = state { finish(pager) }
    }

    private func give(_ lines: [String], to pager: RunningPager) -> Bool {
        let text = lines.map { $0 + "\n" }.joined()
        kept? += text
        guard pager.write(text) else { return finish(pager) }
        if let count = kept?.utf8.count, count > Self.maximumKept { kept = nil }
        return true
    }

    /// - Returns: Whether the pager did not exist, so that the lines are printed.
    @discardableResult private func finish(_ pager: RunningPager) -> Bool {
        state = pager.end() ? .ended : .direct
        defer { kept = nil }
        guard case .direct = state else { return false }
        print(kept ?? "", terminator: "")
        return ScreenOutput.write([])
    }
}
