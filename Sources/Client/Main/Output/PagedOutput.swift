import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Prints lines in several portions, and keeps none of them: all in a pager as soon as they do not fit on the terminal.
final class PagedOutput {
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
    /// The text that was written to the pager, in case the pager does not exist; `nil` if it does.
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

/// Prints lines, in a pager if they do not fit on the terminal.
struct ScreenOutput {
    let screen: TerminalCapabilities

    init(screen: TerminalCapabilities = .current()) { self.screen = screen }

    /// The pager for lines that do not fit on the terminal; `nil` if there is none.
    var pagerCommand: String? {
        screen.isOutput ? Pager.command(environment: ProcessInfo.processInfo.environment) : nil
    }

    /// The pager to use; `nil` if the lines fit, or if there is no pager.
    func pager(for lines: [String]) -> String? {
        Pager.isNeeded(lines.map { TextWidth.columns(ofOutput: $0) }, screen: screen) ? pagerCommand : nil
    }

    /// The lines in the encoding of the locale.
    func encoded(_ lines: [String]) -> [String] { screen.isASCII ? lines.map(ASCIIText.from) : lines }

    /// - Parameter isPaged: Whether lines that do not fit are shown in a pager.
    func show(_ lines: [String], isPaged: Bool = true) {
        let output = PagedOutput(isPaged: isPaged, screen: screen)
        output.show(lines)
        output.end()
    }

    /// Writes lines at once.
    /// - Returns: Whether they could be written.
    @discardableResult static func write(_ lines: [String]) -> Bool {
        for line in lines { print(line) }
        return StandardOutput.flush() == nil
    }
}

/// Prints a list of accounts page by page.
enum AccountListPrinter {
    /// - Parameters:
    ///   - isJSON: Whether to print entities, one per line.
    ///   - line: The line of an account.
    ///   - read: Passes each page to its argument, which returns whether to read on.
    /// - Returns: Whether there are no accounts.
    static func show(
        isJSON: Bool, line: @escaping (Entity.Account) -> String,
        read: (_ show: (_ page: [Entity.Account]) async throws -> Bool) async throws -> Void
    ) async throws -> Bool {
        let output = PagedOutput()
        var isEmpty = true
        try await output.use {
            try await read { page in
                isEmpty = isEmpty && page.isEmpty
                return try isJSON
                    ? ScreenOutput.write(page.map { try EntityJSON.line($0) }) : output.show(page.map(line))
            }
        }
        return isEmpty
    }
}

/// JSON of entities that are printed as they were decoded.
enum EntityJSON {
    /// Prints values, one per line.
    static func print(_ values: [some Encodable]) throws {
        for value in values { Swift.print(try line(value)) }
    }

    /// A value on one line.
    static func line(_ value: some Encodable) throws -> String { RawJSON.line(try bytes(value)) }

    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
