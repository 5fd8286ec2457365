import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal
import FeedWeb
import Foundation

/// The figures about a running server that `feedserver stats` shows. The fields have the same names in `--json`.
struct ServerStats: Codable, Sendable, Equatable {
    var version: String
    /// The id of the process.
    var pid: Int32
    /// `SQLite` or `PostgreSQL`.
    var engine: String
    /// ISO 8601, UTC.
    var startedAt: String
    var uptimeSeconds: Int64
    /// The addresses on which the server listens.
    var addresses: [String]
    /// The configured public URL (`--base-url`), if any.
    var baseURL: String?
    /// The average over the last minute.
    var requestsPerSecond: Double
    var requests: Int64
    var connections: Int64
    /// Memory that is not backed by files (RssAnon), in bytes.
    var memoryBytes: Int64
    var accounts: Int?
    var statuses: Int?
    var databaseBytes: Int64?
    /// The size of all uploaded files.
    var fileBytes: Int64?
    /// The share of the search index that has been built; missing if it is complete.
    var searchIndexPercent: Int?

    enum CodingKeys: String, CodingKey {
        case version, pid, engine, addresses, requests, connections, accounts, statuses
        case startedAt = "started_at"
        case baseURL = "base_url"
        case uptimeSeconds = "uptime_seconds"
        case requestsPerSecond = "requests_per_second"
        case memoryBytes = "memory_bytes"
        case databaseBytes = "database_bytes"
        case fileBytes = "file_bytes"
        case searchIndexPercent = "search_index_percent"
    }
}

extension ServerStats {
    /// The figures of this process. The sizes are missing while the database is not available.
    static func collect(
        _ monitor: ServerMetrics, _ database: FeedDatabase, _ listeners: ServerListeners
    ) async -> ServerStats {
        let sizes = try? await database.sizes()
        return ServerStats(
            version: FeedserverCommand.version, pid: getpid(), engine: database.engineName,
            startedAt: ISO8601.text(milliseconds: monitor.startedAt), uptimeSeconds: monitor.uptime / 1000,
            addresses: listeners.addresses, baseURL: listeners.baseURL,
            requestsPerSecond: (monitor.requestRate * 10).rounded() / 10,
            requests: Int64(monitor.registry.value(of: .requests)),
            connections: Int64(monitor.registry.value(of: .connections)),
            memoryBytes: ProcessStatus.anonymousMemory ?? 0, accounts: sizes?.accounts, statuses: sizes?.statuses,
            databaseBytes: sizes?.databaseBytes, fileBytes: sizes?.fileBytes,
            searchIndexPercent: try? await SearchIndexing(database).progress())
    }
}

extension ServerStats {
    /// The figures for a person. A server of another version may have sent anything, so the text is filtered.
    var formatted: String {
        let lines = rows.map { "  " + TextWidth.padded($0.label, to: 10) + $0.text }
        return (["feedserver " + server] + lines).map { SafeText.line($0) }.joined(separator: "\n")
    }

    private var server: String { "\(version), process \(pid), \(addresses.joined(separator: " and "))" }

    /// The figures by name.
    var rows: [(label: String, text: String)] {
        let (open, total) = (Int(clamping: connections), Int(clamping: requests))
        let load =
            "\(requestsPerSecond) requests/s, \(Plural.text(open, "open connection")), "
            + "\(Plural.text(total, "request")) in total"
        var rows: [(label: String, text: String)] = [
            ("up", "\(Self.time(uptimeSeconds)), since \(startedAt)"), ("load", load),
            ("memory", ByteSize.text(memoryBytes)), ("feed", feed),
            ("database", "\(engine), \(databaseBytes.map(ByteSize.text) ?? "size unknown")"),
            ("files", fileBytes.map(ByteSize.text) ?? "size unknown"),
        ]
        if let percent = searchIndexPercent { rows.append(("search", "the index is being built, \(percent) %")) }
        return rows
    }

    /// The same with the server's version, process and addresses, for the operator's pages.
    var page: [(label: String, text: String)] { [("server", server)] + rows }

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

/// Facts about this process from `/proc`.
enum ProcessStatus {
    /// Memory that is not backed by files, in bytes; `nil` if unknown.
    static var anonymousMemory: Int64? {
        let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let words = line?.split { $0 == " " || $0 == "\t" } ?? []
        return words.dropFirst().first.flatMap { Int64($0) }.map { $0 << 10 }
    }

    /// The number of open file descriptors; `nil` if unknown.
    static var openFiles: Int64? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Int64($0.count) }
    }
}
