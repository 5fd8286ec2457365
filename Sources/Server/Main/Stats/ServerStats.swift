/// What `feedserver stats` shows about a running server. The fields have the same names in `--json`.
struct ServerStats: Codable, Sendable, Equatable {
    var version: String
    /// The id of the process.
    var pid: Int32
    /// `SQLite` or `PostgreSQL`.
    var engine: String
    /// ISO 8601, UTC.
    var startedAt: String
    var uptimeSeconds: Int64
    /// Where the server listens.
    var addresses: [String]
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

    enum CodingKeys: String, CodingKey {
        case version, pid, engine, addresses, requests, connections, accounts, statuses
        case startedAt = "started_at"
        case uptimeSeconds = "uptime_seconds"
        case requestsPerSecond = "requests_per_second"
        case memoryBytes = "memory_bytes"
        case databaseBytes = "database_bytes"
        case fileBytes = "file_bytes"
    }
}
