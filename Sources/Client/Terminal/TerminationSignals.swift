import Foundation
import Synchronization

/// Catches the signals that would end the program, so that it can restore the terminal first. Only one instance may
/// exist at a time.
final class TerminationSignals {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// The descriptor to which the signal handler, which may interrupt any thread, writes the number of the signal.
    private static let writeEnd = Atomic<CInt>(-1)

    /// A descriptor that becomes readable when a signal has been received; -1 if the pipe could not be created.
    let descriptor: CInt
    private var former: [(number: CInt, action: sigaction)] = []

    init() {
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
        for number in Self.numbers { install(number) }
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
        } else {
            former.append((number, action))
        }
    }
}
