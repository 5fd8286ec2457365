import FeedAPI

/// The lines of the log that have not been written yet. A pure state machine.
///
/// Lines of requests wait a moment, so that many of them share one system call. Other lines are written at once. Lines
/// that exceed the memory are dropped and counted; the last quarter of it is kept for lines other than those of
/// requests.
package struct LogBuffer: Sendable {
    package enum Action: Sendable, Equatable { case none, writeSoon, writeNow }

    package struct Batch: Sendable {
        package var lines: [LogLine]
        /// The number of lines that have been dropped since the previous batch.
        package var dropped: Int
    }

    /// The maximum memory of the lines in bytes. The batch that is being written may need as much again.
    package static let limit = 1 << 20
    /// The memory that lines of requests may fill. The rest is for lines that say what is wrong.
    private static let requestLimit = limit / 4 * 3
    /// The memory from which lines of requests are written at once.
    private static let soonLimit = limit / 4

    private var lines: [LogLine] = []
    private var bytes = 0
    private var dropped = 0
    private var scheduled = Action.none

    /// The number of lines that have been dropped so far.
    package private(set) var totalDropped = 0

    package init() {}

    /// Adds a line, or drops it if the memory is full.
    /// - Returns: When to call ``take()``, unless an earlier line has already asked for that.
    package mutating func add(_ line: LogLine) -> Action {
        let cost = line.cost
        if bytes + cost <= (line.isRequest ? Self.requestLimit : Self.limit) {
            lines.append(line)
            bytes += cost
        } else {
            dropped += 1
            totalDropped += 1
        }
        return schedule(line.isRequest && bytes < Self.soonLimit ? .writeSoon : .writeNow)
    }

    /// Counts the lines of a batch that could not be written.
    package mutating func fail(_ batch: Batch) {
        dropped += batch.dropped + batch.lines.count
        totalDropped += batch.lines.count
    }

    /// Removes all lines in order to write them.
    /// - Returns: `nil` if there are none.
    package mutating func take() -> Batch? {
        scheduled = .none
        guard !lines.isEmpty else { return nil }
        defer { (lines, bytes, dropped) = ([], 0, 0) }
        return Batch(lines: lines, dropped: dropped)
    }

    private mutating func schedule(_ action: Action) -> Action {
        guard scheduled == .none || (scheduled == .writeSoon && action == .writeNow) else { return .none }
        scheduled = action
        return action
    }
}

/// A line of the log. It is formatted when it is written, which costs the event loops nothing.
package enum LogLine: Sendable {
    /// A line without its line break.
    case message(String)
    case request(AccessLogEntry, AccessLog.Format)

    /// Appends the line in UTF-8, with a line break.
    package func append(to text: inout [UInt8], times: inout LogTimes) {
        switch self {
        case .message(let line): text.append(contentsOf: line.utf8)
        case .request(let entry, let format): entry.append(to: &text, as: format, times: &times)
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// The approximate memory in bytes.
    fileprivate var cost: Int {
        switch self {
        case .message(let line): MemoryLayout<LogLine>.stride + line.utf8.count
        case .request(let entry, _): MemoryLayout<LogLine>.stride + entry.cost
        }
    }

    fileprivate var isRequest: Bool {
        switch self {
        case .message: false
        case .request: true
        }
    }
}

/// Formats the times of log lines, many of which fall into the same second.
package struct LogTimes: Sendable {
    private var second: Int64 = -1
    /// The text up to the seconds, with the decimal point.
    private var prefix: [UInt8] = []

    package init() {}

    /// Appends a time like ``ISO8601/text(milliseconds:)``.
    /// - Parameter time: Milliseconds since 1970.
    mutating func append(_ time: Int64, to line: inout [UInt8]) {
        guard time >= 0 else { return line.append(contentsOf: ISO8601.text(milliseconds: time).utf8) }
        if time / 1000 != second {
            second = time / 1000
            prefix = Array(ISO8601.text(milliseconds: time).utf8.dropLast(4))
        }
        line.append(contentsOf: prefix)
        line.append(threeDigits: time % 1000)
        line.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number of 0 to 999 with leading zeros.
    fileprivate mutating func append(threeDigits value: Int64) {
        append(UInt8(ascii: "0") + UInt8(clamping: value / 100))
        append(UInt8(ascii: "0") + UInt8(clamping: value / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(clamping: value % 10))
    }

    /// Appends a number with three decimal places; for example, 1500 as `1.500`. A negative one becomes 0.
    mutating func append(thousandths value: Int64) {
        let value = Swift.max(0, value)
        append(contentsOf: String(value / 1000).utf8)
        append(UInt8(ascii: "."))
        append(threeDigits: value % 1000)
    }
}
