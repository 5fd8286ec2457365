import FeedTerminal

/// Prints lines in several portions; all of them in a pager if the first one does not fit on the terminal.
final class GrowingOutput {
    private let output: ScreenOutput
    private var pager: RunningPager?
    /// What the pager was given.
    private var lines: [String] = []
    private let isPaged: Bool
    private var isFirst = true

    /// - Parameter isPaged: Whether lines that do not fit are shown in a pager.
    init(isPaged: Bool, screen: TerminalCapabilities = .current()) {
        output = ScreenOutput(screen: screen)
        self.isPaged = isPaged
    }

    func show(_ lines: [String]) {
        let encoded = output.encoded(lines)
        if isFirst, isPaged { pager = output.pager(for: encoded).flatMap { RunningPager(command: $0) } }
        isFirst = false
        guard let pager else {
            for line in encoded { print(line) }
            // What follows may take its time.
            _ = StandardOutput.flush()
            return
        }
        self.lines += encoded
        pager.write(encoded.map { $0 + "\n" }.joined())
    }

    /// Waits until the user quits the pager. Must be called once, also after an error.
    func end() {
        guard let pager, !pager.end() else { return }
        for line in lines { print(line) }
    }
}
