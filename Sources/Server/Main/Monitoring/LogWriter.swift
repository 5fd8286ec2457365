import ArgumentParser
import FeedAPI
import FeedCore
import FeedTerminal
import FeedWeb
import Foundation
import Logging
import Synchronization

/// Formats and writes log lines on a dedicated thread, because a pipe without a reader must not block an event loop.
final class LogWriter: Sendable {
    static let shared = LogWriter()

    /// The longest time that the line of a request waits for further lines.
    private static let delay = DispatchTimeInterval.milliseconds(50)

    private let buffer = Mutex(LogBuffer())
    private let queue = DispatchQueue(label: "log")
    /// Used only on ``queue``.
    private let writer = Mutex(LogDescriptor(descriptor: STDERR_FILENO))
    /// The number of pieces written so far.
    private let progress = Atomic(0)

    /// The number of lines that have been dropped because standard error did not accept them.
    var dropped: Int { buffer.withLock { $0.totalDropped } }

    func add(_ line: LogLine) {
        switch buffer.withLock({ $0.add(line) }) {
        case .none: break
        case .writeSoon: queue.asyncAfter(deadline: .now() + Self.delay) { [self] in _ = writeBatch() }
        case .writeNow: queue.async { [self] in _ = writeBatch() }
        }
    }

    /// Waits until all lines have been written, but at most some seconds, and fewer if nothing can be written.
    func flush(atMost seconds: Int, idle idleSeconds: Int) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            while writeBatch() {}
            isDone.signal()
        }
        var (last, idle) = (progress.load(ordering: .relaxed), 0)
        for _ in 0..<seconds where idle < idleSeconds {
            if isDone.wait(timeout: .now() + 1) == .success { return }
            let current = progress.load(ordering: .relaxed)
            (last, idle) = (current, current == last ? idle + 1 : 0)
        }
    }

    /// - Returns: Whether there was anything to write.
    private func writeBatch() -> Bool {
        guard let batch = buffer.withLock({ $0.take() }) else { return false }
        let isWritten = writer.withLock { writer in
            writer.write(batch.lines) { progress.add(1, ordering: .relaxed) }
        }
        guard isWritten else {
            buffer.withLock { $0.fail(batch) }
            return true
        }
        if batch.dropped > 0 {
            Logger(label: "feedserver").warning("log lines were dropped", metadata: ["count": "\(batch.dropped)"])
        }
        return true
    }
}

/// The descriptor that log lines are written to, in large pieces.
struct LogDescriptor {
    /// The number of bytes to collect before they are written.
    private static let piece = 16 << 10

    private let descriptor: Int32
    private var text: [UInt8] = []
    private var times = LogTimes()

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Blocks until everything is written.
    /// - Parameter progress: Called after each piece.
    /// - Returns: `false` if the descriptor has failed: its disk is full, or its reader is gone.
    mutating func write(_ lines: [LogLine], progress: () -> Void) -> Bool {
        defer { text.removeAll(keepingCapacity: true) }
        for line in lines {
            line.append(to: &text, times: &times)
            guard text.count >= Self.piece else { continue }
            guard writeText() else { return false }
            progress()
        }
        return writeText()
    }

    private mutating func writeText() -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process that shares the pipe may have set O_NONBLOCK.
                var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&state, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        text.removeAll(keepingCapacity: true)
        return true
    }
}

/// Writes each log entry as one line of text or JSON to standard error.
///
/// Untrusted input cannot forge a line or a field: control characters are escaped, and values of several words are in
/// quotes (``LogEscaping``).
struct LineLog: LogHandler {
    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable { case text, json }

    let label: String
    let format: Format
    var metadata: Logger.Metadata = [:]
    /// A level set for this logger alone.
    private var ownLevel: Logger.Level?

    init(label: String, format: Format) {
        self.label = label
        self.format = format
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? LogLevel.shared.current }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
        let time = ISO8601.text(milliseconds: WallClock.system.now())
        let line = format == .text ? text(event, time, values) : json(event, time, values)
        LogWriter.shared.add(.message(line))
    }

    private func text(_ event: LogEvent, _ time: String, _ values: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        let pairs = values.map { " \($0.key)=" + LogEscaping.text("\($0.value)") }.joined()
        return "\(time) \(event.level) " + SafeText.line("\(event.message)") + pairs
    }

    private func json(_ event: LogEvent, _ time: String, _ values: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        var json = JSONWriter(capacity: 256)
        json.object {
            $0.field("time", time)
            $0.field("level", event.level.rawValue)
            $0.field("message", LogEscaping.json("\(event.message)"))
            $0.object("data") { for (key, value) in values { $0.dynamicField(key, LogEscaping.json("\(value)")) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The level of all loggers, which can change while the server runs.
final class LogLevel: Sendable {
    static let shared = LogLevel()

    private static let levels = Logger.Level.allCases

    private let index = Atomic(0)

    var current: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.levels.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
    }
}
