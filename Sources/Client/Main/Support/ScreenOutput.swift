import FeedTerminal
import Foundation

/// Prints lines, in a pager if they do not fit on the terminal.
struct ScreenOutput {
    let screen: TerminalCapabilities

    init(screen: TerminalCapabilities = .current()) { self.screen = screen }

    /// The pager to use; `nil` if the lines fit, or if there is no pager.
    func pager(for lines: [String]) -> String? {
        guard Pager.isNeeded(lines.map { DisplayWidth.of(output: $0) }, screen: screen) else { return nil }
        return Pager.command(environment: ProcessInfo.processInfo.environment)
    }

    /// The lines in the encoding of the locale.
    func encoded(_ lines: [String]) -> [String] { screen.isASCII ? lines.map(ASCIIText.from) : lines }

    /// - Parameter isPaged: Whether lines that do not fit are shown in a pager.
    func show(_ lines: [String], isPaged: Bool = true) {
        let lines = encoded(lines)
        if isPaged, let command = pager(for: lines), Pager.show(lines.map { $0 + "\n" }.joined(), command: command) {
            return
        }
        for line in lines { print(line) }
    }
}
