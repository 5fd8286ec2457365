import ArgumentParser
import FeedAPI
import FeedCore
import FeedTerminal
import FeedWeb
import Foundation
import Logging
import Synchronization

/// Writes each log entry as one line of text or JSON to standard error.
///
/// Untrusted input cannot forge a line or a field: control characters are escaped, and values of several words are in
/// quotes (``LogField``).
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
        LogOutput.shared.add(.message(line))
    }

    private func text(_ event: LogEvent, _ time: String, _ values: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        let pairs = values.map { " \($0.key)=" + LogField.text("\($0.value)") }.joined()
        return "\(time) \(event.level) " + SafeText.line("\(event.message)") + pairs
    }

    private func json(_ event: LogEvent, _ time: String, _ values: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        var json = JSONWriter(capacity: 256)
        json.object {
            $0.field("time", time)
            $0.field("level", event.level.rawValue)
            $0.field("message", LogField.json("\(event.message)"))
            $0.object("data") { for (key, value) in values { $0.dynamicField(key, LogField.json("\(value)")) } }
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
