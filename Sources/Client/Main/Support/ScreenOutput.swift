import FeedTerminal
import Foundation

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
        Pager.isNeeded(lines.map { DisplayWidth.of(output: $0) }, screen: screen) ? pagerCommand : nil
    }

    /// The lines in the encoding of the locale.
    func encoded(_ lines: [String]) -> [String] { screen.isASCII ? lines.map(ASCIIText.from) : lines }

    /// - Parameter isPaged: Whether lines that do not fit are shown in a pager.
    func show(_ lines: [String], isPaged: Bool = true) {
        let growing = GrowingOutput(isPaged: isPaged, screen: screen)
        growing.show(lines)
        growing.end()
    }

    /// Writes lines at once.
    /// - Returns: Whether they could be written.
    @discardableResult static func write(_ lines: [String]) -> Bool {
        for line in lines { print(line) }
        return StandardOutput.flush() == nil
    }
}
