import Foundation

/// Fetches one file: into a part file first, resumable after anything, verified before it gets its name.
///
/// ``Scheduler``, ``RangeAnswer``, ``WidthRule`` and ``RetryBudget`` decide; this actor tells them what happens and does
/// what they say. Connections (``Lane``), hashing and commits are children of one task group, whose results are its events.
actor Transfer {
    enum Event: Sendable {
        case tick
        case ended(Int, LaneEnd)
        case hashed(PrefixHash, damaged: Piece?)
        case committed(Int64)
    }

    /// Everything so far is worthless: once more from the start.
    struct Restart: Error {}

    /// What was learnt about the server.
    struct Manners {
        var asksForParts = true
        var usesIfRange = true
        var mostLanes = 16
    }

    struct OpenLane {
        var host: String
        let opened: Double
        var hasBegun = false
    }

    /// How often a file may change while it is fetched.
    static let mostChanges = 3
    /// How many senseless answers are let pass without a byte in between.
    static let mostGarbled = 2

    let client: FeedClient
    let source: String
    /// What an earlier download there was told, too.
    var order: DownloadOrder
    let destination: String
    let options: DownloadOptions
    let part: PartFile
    private let report: @Sendable (DownloadProgress) -> Void

    // What is fetched.
    var known: Representation?
    /// Where it is asked for.
    var address: String
    /// In bytes; at the end of a stream that did not say so before.
    var length: Int64?
    /// Whether it comes by one connection from start to end, for want of ranges or of a strong ETag.
    var isStream = true
    /// Whether the server has said that it still is the same.
    var isConfirmed = false
    var manners = Manners()
    /// Seconds until a connection got its answer, at best.
    var latency: Double?
    /// Whether what lies in the part file is this download's to throw away.
    var isOurs = false
    /// The address an earlier download there was told.
    var adoptedFrom: String?
    var changes = 0
    var garbled = 0
    var garbledAt = -1.0

    // Who fetches what, and what is there.
    var scheduler = Scheduler(missing: SpanSet(0..<Int64.max))
    var lanes: [Int: OpenLane] = [:]
    var lastLane = 0
    var ledger = Ledger(chunkSize: ChunkRule.usual)
    var prefix = PrefixHash()
    var isHashing = false

    // Failures.
    /// The disk's.
    var failure: (any Error)?
    var budget: RetryBudget
    var notBefore = 0.0
    var failedAt = -1.0
    /// As far as any attempt came: only what goes beyond is progress.
    var farthest: Int64 = 0

    // Durability.
    var isCommitting = false
    var committedAt = Seconds.now
    var committedBytes: Int64 = 0

    // What is shown.
    var progress = DownloadProgress()
    private var meter = RateMeter()
    private var lastTick = Seconds.now
    private var lastReport = 0.0

    init(
        client: FeedClient, source: String, destination: String, options: DownloadOptions, part: PartFile,
        report: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        (self.client, self.source, self.destination) = (client, source, destination)
        (self.options, self.part, self.report) = (options, part, report)
        address = source
        order = DownloadOrder(url: source, sha256: options.sha256, replaces: options.restarts)
        budget = RetryBudget(options.retries)
    }

    /// - Throws: ``FeedClientError``, or `CancellationError`; what is durable then stays, if it is good for anything.
    func run() async throws -> DownloadResult {
        defer { part.unlock() }
        do {
            try await takeUp()
            while try await !fetchAll() { try await forget() }
            return try await finish()
        } catch {
            await leave()
            throw explained(error)
        }
    }

    /// - Returns: `false` when it must be begun again.
    private func fetchAll() async throws -> Bool {
        defer { closeAll() }
        do {
            try await withThrowingTaskGroup(of: Event.self) { group in
                group.addTask { try await Self.tick() }
                while !isWhole {
                    openLanes(&group)
                    startHashing(&group)
                    startCommit(&group)
                    guard let event = try await group.next() else { break }
                    try handle(event)
                    if case .tick = event { group.addTask { try await Self.tick() } }
                }
                group.cancelAll()
            }
            return true
        } catch is Restart {
            return false
        }
    }

    /// Whether all is there and hashed.
    var isWhole: Bool { length.map { prefix.position == $0 } ?? false }

    private static func tick() async throws -> Event {
        try await Task.sleep(for: .milliseconds(50))
        return .tick
    }

    private func handle(_ event: Event) throws {
        switch event {
        case .tick: tick(Seconds.now)
        case .ended(let id, let end): try ended(id, end)
        case .hashed(let prefix, let damaged): hashed(prefix, damaged)
        case .committed(let bytes): committed(bytes)
        }
    }

    private func tick(_ now: Double) {
        if now - lastTick >= 0.25 {
            scheduler.tick(seconds: now - lastTick)
            lastTick = now
            takeUpProgress()
            if let host = ServerAddress.origin(address) { client.hosts.observe(host, now: now) }
            meter.observe(now: now, bytes: ledger.written.count)
        }
        if now - lastReport >= 0.1 {
            lastReport = now
            tell()
        }
    }

    /// Every byte beyond the farthest gives tries back.
    func takeUpProgress() {
        let done = ledger.written.count
        budget.progressed(done - farthest)
        if done > farthest { garbled = 0 }
        farthest = max(farthest, done)
    }

    func tell() {
        let now = Seconds.now
        progress.done = ledger.written.count
        progress.total = length
        progress.rate = meter.rate
        progress.connections = lanes.count
        progress.retries = budget.used
        progress.wait = lanes.isEmpty && notBefore > now ? notBefore - now : nil
        report(progress)
    }
}
