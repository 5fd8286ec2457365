import CSandbox
import FeedImages
import Foundation
import Synchronization

/// A process that handles one upload.
///
/// It is started and awaited on a thread of its own: the kernel kills the process when the thread ends that started it
/// (`PR_SET_PDEATHSIG`), so this must not be a thread of a pool.
final class MediaChildProcess: Sendable {
    /// The exit status of a process, and its output.
    struct Outcome: Sendable {
        /// The status of `waitpid`.
        var status: Int32
        /// The beginning of its standard output and of its standard error.
        var output: [UInt8]
        var diagnostics: [UInt8]
        /// Whether it was killed because it took too long.
        var isLate: Bool

        var isSuccess: Bool { status == 0 }

        /// The reason why it ended, for the log.
        var reason: String {
            let signal = status & 0x7F
            let end = signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)"
            let text = String(decoding: diagnostics, as: UTF8.self)
            return (isLate ? "deadline exceeded, " : "") + end + (text.isEmpty ? "" : ": " + text)
        }
    }

    private struct State {
        /// The process, until it has been awaited: afterwards the kernel may give its id to another one.
        var processID: pid_t?
        var isCancelled = false
    }

    /// The descriptors that the process gets, in this order: 0, 3 and 4.
    struct Files: Sendable {
        var upload: Int32
        var content: Int32
        var thumbnail: Int32
    }

    private static let diagnosticBytes = 2048

    private let arguments: [String]
    private let deadline: Duration
    private let niceness: Int32
    private let state = Mutex(State())

    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - deadline: The time after which the process is killed.
    ///   - niceness: Its priority: 0 is usual, 19 the lowest.
    init(_ arguments: [String], deadline: Duration, niceness: Int32) {
        self.arguments = arguments
        self.deadline = deadline
        self.niceness = niceness
    }

    /// Runs the process until it ends. If the task is cancelled, the process is killed.
    /// - Throws: ``SystemCallError`` if it cannot be started.
    func run(_ files: Files) async throws -> Outcome {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try self.runNow(files) })
                }
            }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                if let processID = state.processID { Self.kill(processID) }
            }
        }
    }

    private func runNow(_ files: Files) throws -> Outcome {
        let output = try ChildPipe()
        let diagnostics = try ChildPipe()
        let processID = try start([
            files.upload, output.writing, diagnostics.writing, files.content, files.thumbnail,
        ])
        output.closeWriting()
        diagnostics.closeWriting()
        let isCancelled = state.withLock { state in
            state.processID = processID
            return state.isCancelled
        }
        if isCancelled { Self.kill(processID) }
        // The pipes are closed when nothing refers to them any more.
        return withExtendedLifetime((output, diagnostics)) { collect(processID, output, diagnostics) }
    }

    private func start(_ descriptors: [Int32]) throws(SystemCallError) -> pid_t {
        do {
            return try MediaSpawn.start(arguments, descriptors, niceness: niceness)
        } catch {
            throw SystemCallError(call: "vfork", code: error.code)
        }
    }

    /// Kills the process with its process group.
    private static func kill(_ processID: pid_t) { _ = Foundation.kill(-processID, SIGKILL) }

    private func collect(_ processID: pid_t, _ output: ChildPipe, _ diagnostics: ChildPipe) -> Outcome {
        let end = ContinuousClock.now + deadline
        var readers = [
            PipeReader(output.reading, limit: MediaReport.maximumBytes),
            PipeReader(diagnostics.reading, limit: Self.diagnosticBytes),
        ]
        while readers.contains(where: { !$0.isAtEnd }), ContinuousClock.now < end {
            PipeReader.wait(&readers, until: end)
        }
        let (status, isLate) = reap(processID, until: end)
        return Outcome(status: status, output: readers[0].bytes, diagnostics: readers[1].bytes, isLate: isLate)
    }

    /// Waits for the end of the process, and kills it at the deadline. It may close its pipes before.
    private func reap(_ processID: pid_t, until end: ContinuousClock.Instant) -> (status: Int32, isLate: Bool) {
        var isLate = false
        var pause: UInt32 = 100
        while true {
            let status = state.withLock { state -> Int32? in
                var status: Int32 = 0
                let result = waitpid(processID, &status, WNOHANG)
                guard result == processID || (result < 0 && errno != EINTR) else { return nil }
                state.processID = nil
                return result == processID ? status : -1
            }
            if let status { return (status, isLate) }
            if !isLate, ContinuousClock.now >= end {
                isLate = true
                Self.kill(processID)
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
    }
}

/// The two ends of a pipe, which child processes do not inherit.
private final class ChildPipe {
    let reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let code = csandbox_pipe(&ends)
        guard code == 0 else { throw SystemCallError(call: "pipe2", code: code) }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    deinit {
        closeWriting()
        close(reading)
    }
}

/// Reads a pipe, of which only the beginning is kept.
private struct PipeReader {
    private let descriptor: Int32
    private let limit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ descriptor: Int32, limit: Int) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// Waits until one of the pipes can be read, and reads it.
    static func wait(_ readers: inout [PipeReader], until end: ContinuousClock.Instant) {
        var states = readers.map { pollfd(fd: $0.isAtEnd ? -1 : $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let rest = (end - ContinuousClock.now).components
        let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000
        guard poll(&states, nfds_t(states.count), Int32(clamping: max(0, milliseconds) + 1)) > 0 else { return }
        for index in readers.indices where states[index].revents != 0 { readers[index].read() }
    }

    private mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { return isAtEnd = true }
        bytes += buffer.prefix(min(count, limit + 1 - bytes.count))
    }
}
