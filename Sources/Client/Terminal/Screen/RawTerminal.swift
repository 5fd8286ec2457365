import Foundation
import Synchronization

/// The address of the settings of the terminal before it was taken over; 0 while it is not.
private let savedSettings = Atomic<UInt>(0)

/// Leaves the second screen and the modes of ``RawTerminal``, and shows the cursor.
private let leaving: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

/// Gives the terminal back. Uses only what a signal handler may.
private func restoreTerminal() {
    let address = savedSettings.exchange(0, ordering: .sequentiallyConsistent)
    guard let settings = UnsafePointer<termios>(bitPattern: address) else { return }
    _ = write(STDOUT_FILENO, leaving.utf8Start, leaving.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, settings)
}

/// Called when the program crashes.
private func restoreAfterCrash(_ number: CInt) {
    restoreTerminal()
    signal(number, SIG_DFL)
    raise(number)
}

/// The terminal while a program draws the whole screen and reads each key. However the program ends, the terminal is given
/// back as it was, except by SIGKILL.
package final class RawTerminal: Sendable {
    /// The outcome of waiting for input.
    package enum Event: Sendable {
        case keys([Key])
        case resize
        /// The program continues after it was stopped.
        case continued
        /// The terminal is gone.
        case lost
    }

    private static let entering = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J"
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// The size of the stack for the handler of crashes, in bytes.
    private static let handlerStack = 64 << 10

    /// The time that the program waits for SIGCONT after it was to be stopped, in milliseconds. None arrives if the
    /// signal that stops was ignored.
    private static let stopTime: CInt = 200
    /// The time between two checks whether the signal that stops the program is still pending, in microseconds, and their
    /// maximum number.
    private static let (pause, maximumPauses) = (useconds_t(1000), 30_000)

    private let input: TerminalInput

    /// - Parameter onEvent: Called on a thread of its own.
    /// - Returns: `nil` unless ``isPossible``.
    package init?(onEvent: @escaping @Sendable (Event) -> Void) {
        guard Self.isPossible else { return nil }
        input = TerminalInput(onEvent: onEvent)
        atexit { restoreTerminal() }
        Self.catchCrashes()
    }

    private static func catchCrashes() {
        for number in crashes {
            signal(number, restoreAfterCrash)
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            action.sa_flags |= SA_ONSTACK
            sigaction(number, &action, nil)
        }
    }

    /// Gives this thread a stack for the handler of crashes, which needs another one when the stack of the thread has
    /// overflowed.
    package static func prepareThread() {
        var stack = stack_t()
        guard sigaltstack(nil, &stack) == 0, stack.ss_flags & CInt(SS_DISABLE) != 0 else { return }
        // The stack is never freed, because the end of a thread cannot be observed.
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: handlerStack, alignment: 16)
        (stack.ss_size, stack.ss_flags) = (handlerStack, 0)
        sigaltstack(&stack, nil)
    }

    /// Whether standard input and output are a terminal that can position its cursor.
    package static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The columns and rows of the terminal.
    package static var size: (columns: Int, rows: Int) {
        let stated = TerminalCapabilities.windowSize(of: [STDOUT_FILENO]) { $0.ws_col > 0 && $0.ws_row > 0 }
        guard let size = stated else { return (80, TerminalCapabilities.standardRows) }
        return (min(1000, Int(size.ws_col)), min(1000, Int(size.ws_row)))
    }

    /// Takes the terminal over, and reads its keys.
    package func enter() {
        // From here on, no signal ends the program before the terminal has been given back.
        input.start()
        // The memory must stay valid for a handler that runs at any time, so it is never freed.
        let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        settings.initialize(to: termios())
        tcgetattr(STDIN_FILENO, settings)
        savedSettings.store(UInt(bitPattern: settings), ordering: .sequentiallyConsistent)
        var raw = settings.pointee
        cfmakeraw(&raw)
        withUnsafeMutableBytes(of: &raw.c_cc) { keys in (keys[Int(VMIN)], keys[Int(VTIME)]) = (1, 0) }
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        StandardError.hold()
        write(Self.entering)
    }

    /// Gives the terminal back, for a while or at the end.
    package func leave() {
        restoreTerminal()
        input.stop()
        StandardError.release()
    }

    /// Stops the program as Ctrl-Z does, and takes the terminal over again when it continues.
    package func suspend() {
        leave()
        let signals = TerminationSignals(and: [SIGCONT])
        Self.stopProgram()
        var source = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&source, 1, Self.stopTime)
        // A program that is to end is continued for that.
        while let received = signals.received {
            if received != SIGCONT { TerminationSignals.end(by: received) }
        }
        signals.restore()
        enter()
    }

    /// Stops the program and those in its job. Another thread may receive the signal, so this one waits until it has: the
    /// program stops at that moment. One without a shell above it ignores the signal.
    private static func stopProgram() {
        var (stop, former) = (sigset_t(), sigset_t())
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // Only of a signal that it blocks can a thread know whether it is pending.
        pthread_sigmask(SIG_BLOCK, &stop, &former)
        kill(0, SIGTSTP)
        var pauses = maximumPauses
        while pauses > 0, isPending(SIGTSTP) {
            usleep(pause)
            pauses -= 1
        }
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }

    private static func isPending(_ number: CInt) -> Bool {
        var pending = sigset_t()
        return sigpending(&pending) == 0 && sigismember(&pending, number) == 1
    }

    /// Writes text as a whole, unless the terminal has been given back: a signal may just be ending the program.
    /// - Returns: Whether the terminal still exists.
    @discardableResult package func write(_ text: String) -> Bool {
        guard savedSettings.load(ordering: .sequentiallyConsistent) != 0 else { return false }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Reads keys and signals on a thread of its own, so that nothing else can delay them.
private final class TerminalInput: Sendable {
    /// The time after which Escape is a key, and not the start of a sequence, in milliseconds.
    private static let escapeTime: CInt = 50

    private struct Running {
        /// Closed to stop the thread.
        let wake: CInt
        let ended: DispatchSemaphore
    }

    private let onEvent: @Sendable (RawTerminal.Event) -> Void
    private let running = Mutex<Running?>(nil)

    init(onEvent: @escaping @Sendable (RawTerminal.Event) -> Void) { self.onEvent = onEvent }

    /// Returns when signals are handled.
    func start() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return onEvent(.lost) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (stop, started, ended) = (ends[0], DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        running.withLock { $0 = Running(wake: ends[1], ended: ended) }
        let thread = Thread { [self] in
            let signals = TerminationSignals(and: [SIGWINCH, SIGCONT])
            started.signal()
            read(until: stop, signals)
            signals.restore()
            close(stop)
            ended.signal()
        }
        thread.start()
        started.wait()
    }

    /// Returns when no more keys are read, so that another program can read them.
    func stop() {
        guard let running = running.withLock({ $0.take() }) else { return }
        close(running.wake)
        running.ended.wait()
    }

    private func read(until stop: CInt, _ signals: TerminationSignals) {
        var decoder = KeyDecoder()
        while true {
            var sources = [STDIN_FILENO, signals.descriptor, stop].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&sources, nfds_t(sources.count), decoder.isPending ? Self.escapeTime : -1)
            while let number = signals.received { receive(number) }
            if sources[2].revents != 0 { return }
            if count == 0 { send(decoder.flush()) }
            guard count > 0, sources[0].revents != 0 else { continue }
            guard let bytes = Self.readBytes() else { return onEvent(.lost) }
            send(decoder.keys(bytes))
        }
    }

    private func send(_ keys: [Key]) { if !keys.isEmpty { onEvent(.keys(keys)) } }

    /// A signal that ends the program does so even if nobody handles events any more.
    private func receive(_ number: CInt) {
        switch number {
        case SIGWINCH: onEvent(.resize)
        case SIGCONT: onEvent(.continued)
        default:
            restoreTerminal()
            TerminationSignals.end(by: number)
        }
    }

    /// - Returns: `nil` if the terminal is gone.
    private static func readBytes() -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? buffer[..<count] : nil
    }
}
