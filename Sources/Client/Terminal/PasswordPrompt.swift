import Foundation

/// Prompts for a secret on the terminal, without echo.
public enum PasswordPrompt {
    private enum Input {
        case key(UInt8)
        case signal(CInt)
        case end
    }

    private enum Outcome {
        case line(String)
        case noInput, interrupted
        case signal(CInt)
    }

    /// Whether standard input is a terminal.
    public static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads a line. Ctrl-C ends the program with 130, and a signal ends it as usual, after the echo has been restored.
    /// - Returns: The line without its end; `nil` if the input ended before anything was typed.
    public static func read(_ prompt: String) -> String? {
        let signals = TerminationSignals()
        let outcome = withoutEcho { () -> Outcome in
            StandardError.write(prompt)
            return readLine(signals)
        }
        StandardError.write("\n")
        signals.restore()
        switch outcome {
        case .line(let text): return text
        case .noInput: return nil
        case .interrupted: exit(130)
        case .signal(let number): TerminationSignals.end(by: number)
        }
    }

    private static func readLine(_ signals: TerminationSignals) -> Outcome {
        var line = PasswordLineEditor()
        while true {
            switch next(signals) {
            case .signal(let number): return .signal(number)
            case .end: return .noInput
            case .key(let byte):
                switch line.take(byte) {
                case .more: continue
                case .done: return .line(line.text)
                case .ended: return .noInput
                case .interrupted: return .interrupted
                }
            }
        }
    }

    private static func next(_ signals: TerminationSignals) -> Input {
        while true {
            var sources = [STDIN_FILENO, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&sources, nfds_t(sources.count), -1)
            if let number = signals.received { return .signal(number) }
            if count < 0, errno == EINTR { continue }
            var byte: UInt8 = 0
            let length = Foundation.read(STDIN_FILENO, &byte, 1)
            if length < 0, errno == EINTR { continue }
            return length == 1 ? .key(byte) : .end
        }
    }

    /// Disables the echo and reads key by key, including Ctrl-C, whose signal would end the program without restoring
    /// the echo.
    private static func withoutEcho<Value>(_ body: () -> Value) -> Value {
        var original = termios()
        tcgetattr(STDIN_FILENO, &original)
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        withUnsafeMutableBytes(of: &silent.c_cc) { keys in (keys[Int(VMIN)], keys[Int(VTIME)]) = (1, 0) }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &original) }
        return body()
    }
}
