import Foundation
import Synchronization

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

/// Edits a line that is typed without echo, key by key.
public struct PasswordLineEditor: Sendable {
    /// The effect of a key.
    public enum Step: Sendable, Equatable {
        case more, done
        /// Ctrl-C, or Ctrl-\.
        case interrupted
        /// Ctrl-D on an empty line.
        case ended
    }

    /// The longest line of a terminal in bytes (`N_TTY_BUF_SIZE` of Linux); further bytes are ignored.
    static let maximumLength = 4096

    private var bytes: [UInt8] = []

    public init() {}

    /// The line.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case 0x03, 0x1C: return .interrupted
        case 0x04: return bytes.isEmpty ? .ended : .more
        case 0x0A, 0x0D: return .done
        case 0x08, 0x7F: eraseCharacter()
        case 0x15: bytes = []
        case 0..<0x20: break
        default: if bytes.count < Self.maximumLength { bytes.append(byte) }
        }
        return .more
    }

    /// In UTF-8, a character may consist of several bytes.
    private mutating func eraseCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}

/// Catches the signals that would end the program, so that it can restore the terminal first. Only one instance may
/// exist at a time.
final class TerminationSignals {
    /// The signals that end the program.
    static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// The descriptor to which the signal handler, which may interrupt any thread, writes the number of the signal.
    private static let writeEnd = Atomic<CInt>(-1)

    /// A descriptor that becomes readable when a signal has been received; -1 if the pipe could not be created.
    let descriptor: CInt
    private var former: [(number: CInt, action: sigaction)] = []

    /// - Parameter others: Further signals to catch.
    init(and others: [CInt] = []) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            descriptor = -1
            return
        }
        descriptor = ends[0]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for number in Self.ending + others { install(number) }
    }

    /// The number of a received signal.
    var received: CInt? {
        var number: UInt8 = 0
        return descriptor >= 0 && read(descriptor, &number, 1) == 1 ? CInt(number) : nil
    }

    /// Reinstates the former signal handlers.
    func restore() {
        for (number, action) in former {
            var action = action
            sigaction(number, &action, nil)
        }
        former = []
        let end = Self.writeEnd.exchange(-1, ordering: .sequentiallyConsistent)
        for end in [end, descriptor] where end >= 0 { close(end) }
    }

    /// Terminates the program with a signal, so that the parent process can determine the reason.
    static func end(by number: CInt) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        // Threads of libdispatch block all signals.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }

    /// Installs the handler. A signal that is ignored remains ignored, because `nohup` relies on that.
    private func install(_ number: CInt) {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return }
        let handler = signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            let error = errno
            _ = write(TerminationSignals.writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = error
        }
        if unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(number, SIG_IGN)
            return
        }
        former.append((number, action))
        // One handler after the other, so that the signal that ends a stopped program is known before it continues.
        var installed = sigaction()
        guard sigaction(number, nil, &installed) == 0 else { return }
        sigfillset(&installed.sa_mask)
        sigaction(number, &installed, nil)
    }
}
