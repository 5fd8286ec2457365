/// The open connections of a download, and the ranges that are assigned to them.
struct DownloadConnections: Sendable {
    struct Connection: Sendable {
        fileprivate(set) var host: String
        let openedAt: Double
        /// Whether the response has arrived.
        fileprivate(set) var hasResponse = false
        /// Whether the connection has delivered its whole range.
        fileprivate(set) var isFinished = false
    }

    private var plan: DownloadPlan
    private var connections: [Int: Connection] = [:]
    private var lastID = 0
    /// The shortest time from a request to its response so far, in seconds.
    private var latency: Double?

    init(missing: ByteRangeSet) { plan = DownloadPlan(missing: missing) }

    var count: Int { connections.count }
    var isEmpty: Bool { connections.isEmpty }

    /// The host of an open connection.
    func host(_ id: Int) -> String? { connections[id]?.host }

    /// Opens a connection if there is a range to fetch.
    /// - Parameters:
    ///   - more: The number of other connections that are opened right after it.
    ///   - canShare: Whether it may take over part of another connection's range.
    mutating func open(
        host: String, more: Int, canShare: Bool, now: Double
    ) -> (id: Int, range: Range<Int64>)? {
        let id = lastID + 1
        let delay = (latency ?? 0) * DownloadPlan.slowStartRoundTrips
        guard let range = plan.assign(id, more: more, canShare: canShare, delay: delay) else { return nil }
        connections[id] = Connection(host: host, openedAt: now)
        lastID = id
        return (id, range)
    }

    /// Replaces the missing ranges, because the first response has stated the size or because the download starts over.
    /// - Parameter id: The connection that fetches them from the start.
    mutating func replaceRanges(_ missing: ByteRangeSet, assigningTo id: Int? = nil) {
        plan = DownloadPlan(missing: missing)
        if let id { _ = plan.assign(id) }
    }

    /// Records the response of a connection.
    /// - Parameter host: The host that sent it, after redirects.
    mutating func responded(_ id: Int, from host: String?, now: Double) -> HostEvent? {
        guard let connection = connections[id], !connection.hasResponse else { return nil }
        let (host, seconds) = (host ?? connection.host, now - connection.openedAt)
        connections[id]?.host = host
        connections[id]?.hasResponse = true
        latency = min(latency ?? seconds, seconds)
        return .responded(host: host, requestedFrom: connection.host, seconds: seconds)
    }

    /// The number of the next `count` bytes of a connection that are needed, and the number of needed bytes after them.
    mutating func accept(_ id: Int, _ count: Int) -> (wanted: Int, remaining: Int64) {
        let wanted = plan.accept(id, count)
        return (wanted, plan.remaining(id) ?? 0)
    }

    mutating func close(_ id: Int) -> Connection? {
        let isFinished = plan.remaining(id) == 0
        plan.release(id)
        var connection = connections.removeValue(forKey: id)
        connection?.isFinished = isFinished
        return connection
    }

    mutating func closeAll() -> [Connection] { connections.keys.sorted().compactMap { close($0) } }

    /// Marks received bytes as missing, so that they are fetched again.
    mutating func fetchAgain(_ range: Range<Int64>) { plan.fetchAgain(range) }

    mutating func measureRates(seconds: Double) { plan.measureRates(seconds: seconds) }
}
