import CSpawn
package import Foundation
import Synchronization

/// A child process, with the members of Foundation's `Process` that the tests use.
///
/// Foundation's version reads a directory of open files past the end of an entry, which sometimes crashed the tests,
/// and its children inherit the signal mask of the starting thread.
package final class ChildProcess: Sendable {
    package enum TerminationReason: Sendable { case exit, uncaughtSignal }

    private struct State {
        var executableURL: URL?
        var arguments: [String]?
        var environment: [String: String]?
        var currentDirectoryURL: URL?
        /// Standard input, output and error.
        var handles: [FileHandle?] = [nil, nil, nil]
        var terminationHandler: (@Sendable (ChildProcess) -> Void)?
        var processID: pid_t = 0
        /// The reason why it could not be started.
        var failure: (any Error)?
        /// The status reported by `waitpid`.
        var status: Int32?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    package init() {}

    package var executableURL: URL? {
        get { state.withLock { $0.executableURL } }
        set { state.withLock { $0.executableURL = newValue } }
    }
    package var arguments: [String]? {
        get { state.withLock { $0.arguments } }
        set { state.withLock { $0.arguments = newValue } }
    }
    package var environment: [String: String]? {
        get { state.withLock { $0.environment } }
        set { state.withLock { $0.environment = newValue } }
    }
    package var currentDirectoryURL: URL? {
        get { state.withLock { $0.currentDirectoryURL } }
        set { state.withLock { $0.currentDirectoryURL = newValue } }
    }
    package var standardInput: FileHandle? {
        get { state.withLock { $0.handles[0] } }
        set { state.withLock { $0.handles[0] = newValue } }
    }
    package var standardOutput: FileHandle? {
        get { state.withLock { $0.handles[1] } }
        set { state.withLock { $0.handles[1] = newValue } }
    }
    package var standardError: FileHandle? {
        get { state.withLock { $0.handles[2] } }
        set { state.withLock { $0.handles[2] = newValue } }
    }
    package var terminationHandler: (@Sendable (ChildProcess) -> Void)? {
        get { state.withLock { $0.terminationHandler } }
        set { state.withLock { $0.terminationHandler = newValue } }
    }

    package var processIdentifier: Int32 { state.withLock { $0.processID } }
    package var isRunning: Bool { state.withLock { $0.processID > 0 && $0.status == nil } }

    package var terminationReason: TerminationReason {
        state.withLock { ($0.status ?? 0) & 0x7F == 0 } ? .exit : .uncaughtSignal
    }

    /// The exit code, or the signal that ended the process.
    package var terminationStatus: Int32 {
        let status = state.withLock { $0.status ?? 0 }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    package func terminate() { kill(processIdentifier, SIGTERM) }

    package func waitUntilExit() {
        ended.wait()
        ended.signal()
    }

    /// The thread that waits for the process also starts it. The kernel kills a process that shall not outlive its parent
    /// (`PR_SET_PDEATHSIG`) when the thread ends that started it, and idle threads of a pool end.
    /// - Throws: ``SpawnFailure`` if the system cannot start the process.
    package func run() throws {
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let processID = self.start()
            isStarted.signal()
            if let processID { self.wait(processID) }
        }
        isStarted.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// - Returns: `nil` if the system cannot start the process.
    private func start() -> pid_t? {
        let start = state.withLock { $0 }
        do {
            let processID = try Self.spawn(start)
            state.withLock { $0.processID = processID }
            return processID
        } catch {
            state.withLock { $0.failure = error }
            return nil
        }
    }

    private func wait(_ processID: pid_t) {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let handler = state.withLock { state in
            state.status = status
            return state.terminationHandler
        }
        ended.signal()
        handler?(self)
    }

    private static func spawn(_ start: State) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, handle) in start.handles.enumerated() {
            let (number, descriptor) = (Int32(number), handle?.fileDescriptor ?? Int32(number))
            // `FileHandle.nullDevice` has no descriptor on Linux.
            if descriptor < 0 {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        cspawn_close_from(&actions, 3)
        if let folder = start.currentDirectoryURL?.path { cspawn_change_folder(&actions, folder) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return try spawn(start, &actions, &attributes)
    }

    /// The limits of time of our programs (`Timeout`) are not shorter than this, unless the test sets another value: any
    /// process may not run for ten seconds on a busy machine.
    private static let standardEnvironment = ["FEED_TIMEOUT": "30"]

    private static func spawn(
        _ start: State, _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) throws -> pid_t {
        let path = start.executableURL?.path ?? ""
        let environment = standardEnvironment.merging(start.environment ?? ProcessInfo.processInfo.environment) { $1 }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + (start.arguments ?? [])).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { for text in words + variables { free(text) } }
        var processID: pid_t = 0
        let code = posix_spawn(&processID, path, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw SpawnFailure(program: path, code: code) }
        return processID
    }
}

package struct SpawnFailure: Error, CustomStringConvertible {
    let program: String
    let code: Int32

    package var description: String { "cannot start \(program): \(String(cString: strerror(code)))" }
}
