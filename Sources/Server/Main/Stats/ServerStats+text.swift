import FeedTerminal
import Foundation

extension ServerStats {
    /// The figures for a person. A server of another version may have sent anything, so the text is filtered.
    var text: String {
        let title = "feedserver \(version), process \(pid), \(addresses.joined(separator: " and "))"
        let lines = [
            title, "  up        \(Self.time(uptimeSeconds)), since \(startedAt)",
            "  load      \(requestsPerSecond) requests/s, "
                + "\(Plural.text(Int(clamping: connections), "open connection")), \(Plural.text(Int(clamping: requests), "request")) in total",
            "  memory    \(ProgressBar.bytes(memoryBytes))", "  feed      \(feed)",
            "  database  \(engine), \(databaseBytes.map(ProgressBar.bytes) ?? "size unknown")",
            "  files     \(fileBytes.map(ProgressBar.bytes) ?? "size unknown")",
        ]
        return lines.map { SafeText.line($0) }.joined(separator: "\n")
    }

    private var feed: String {
        guard let accounts, let statuses else { return "the database is not available" }
        return Plural.text(accounts, "account") + ", " + Plural.text(statuses, "status", "statuses")
    }

    /// A time in its two largest units, such as `3 d 4 h`.
    static func time(_ seconds: Int64) -> String {
        let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        let first = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        var rest = max(0, seconds)
        return units[first...].prefix(2).map { unit in
            defer { rest %= unit.seconds }
            return "\(rest / unit.seconds) \(unit.name)"
        }.joined(separator: " ")
    }
}
