import NIOHTTP1

/// Performs one download to a part file, which can be resumed after any interruption and is verified before it is moved
/// into place.
///
/// ``DownloadStateMachine`` decides; this actor performs its actions. Connections (``DownloadConnection``), hashing and
/// commits are child tasks of one task group, whose results are the events.
///
/// ``DownloadPreparation`` locks the part file and its journal. ``RangeResponse`` judges each response: entity tag,
/// size and range are compared every time. ``DownloadPlan`` assigns the missing bytes to connections and lets fast ones
/// take over from slow ones, ``DownloadConcurrency`` finds out how many connections to a host increase the rate, and
/// ``DownloadBackoff`` bounds the retries. Once a second, the bytes are synced and then the ``DownloadState`` is
/// replaced, which lists each ``HashedRange``. A resumed download checks each range against its hash before it relies
/// on it.
actor DownloadRun {
    private enum Event: Sendable {
        case tick
        case ended(Int, FetchOutcome)
        case hashed(PrefixHasher, damaged: HashedRange?)
        case committed(Int64)
    }

    private typealias EventGroup = ThrowingTaskGroup<Event, any Error>

    private let client: FeedClient
    private let source: String
    private let claim: DownloadPreparation
    private let options: DownloadOptions
    private let report: @Sendable (DownloadProgress) -> Void
    private var state: DownloadStateMachine

    private var part: PartFile { claim.part }
    private var hosts: HostConnections { client.hosts }

    init(
        client: FeedClient, source: String, claim: DownloadPreparation, options: DownloadOptions,
        report: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        (self.client, self.source, self.claim) = (client, source, claim)
        (self.options, self.report) = (options, report)
        state = DownloadStateMachine(source: source, options: options, now: Monotonic.now)
    }

    /// - Throws: ``FeedClientError``, or `CancellationError`. Bytes that can be reused remain on disk.
    func run() async throws -> DownloadResult {
        defer { part.unlock() }
        do {
            try await start()
            while try await !fetchAll() { try await startOver() }
            return try await finish()
        } catch {
            await cleanUp()
            throw state.explain(error)
        }
    }

    // MARK: Start and end

    private func start() async throws {
        let decision =
            options.restarts
            ? DownloadResumption.startOver(previous: nil, notice: nil)
            : try DownloadResumption(claim.journal, isEmpty: claim.isEmpty, source: source, path: part.path)
        guard state.start(decision) else { return try await startOver() }
        try checkFreeSpace()
    }

    private func startOver() async throws {
        let (part, request) = (part, state.request)
        try await DiskThreads.run { try part.startOver(request) }
        state.startOver()
    }

    /// Fails before anything is downloaded if the disk is too small.
    private func checkFreeSpace() throws(FeedClientError) {
        guard let needed = state.missingBytes, let free = part.freeSpace(), needed > free else { return }
        throw FeedClientError(
            .disk, "Not enough disk space: \(needed) bytes are needed, \(free) are free",
            hint: "Free \(needed - free) bytes and run the same command again.")
    }

    private func finish() async throws -> DownloadResult {
        report(state.report(now: Monotonic.now))
        let result = try state.verify(destination: claim.destination)
        let (part, replaces) = (part, state.request.replacesExisting)
        try await DiskThreads.run {
            try part.moveIntoPlace(size: result.size, replacingExisting: replaces)
        }
        return result
    }

    /// Keeps files that the next attempt can use, and removes the others.
    private func cleanUp() async {
        let (part, cleanup) = (part, state.cleanup)
        try? await DiskThreads.run {
            guard part.isCurrent else { return }
            switch cleanup {
            case .leave: part.removeIfUnused()
            case .commit(let journal): try part.commit(journal)
            case .discard: part.discard()
            }
        }
    }

    // MARK: Events

    /// - Returns: `false` if the download must start over.
    private func fetchAll() async throws -> Bool {
        defer { for event in state.stopped() { hosts.handle(event, now: Monotonic.now) } }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await Self.tick() }
            while !state.isComplete {
                openConnections(&group)
                startHashing(&group)
                startCommit(&group)
                guard let event = try await group.next() else { break }
                for action in handle(event) where try !perform(action) { return false }
                if case .tick = event { group.addTask { try await Self.tick() } }
            }
            return true
        }
    }

    private static func tick() async throws -> Event {
        try await Task.sleep(for: .milliseconds(50))
        return .tick
    }

    private func handle(_ event: Event) -> [DownloadStateMachine.Action] {
        let now = Monotonic.now
        switch event {
        case .tick: return state.tick(now: now)
        case .ended(let id, let outcome): return state.ended(id, outcome, TimeSample())
        case .hashed(let hasher, let damaged): state.hashed(hasher, damaged: damaged)
        case .committed(let bytes): state.committed(bytes, now: now)
        }
        return []
    }

    /// - Returns: `false` if the download must start over.
    private func perform(_ action: DownloadStateMachine.Action) throws -> Bool {
        switch action {
        case .host(let event): hosts.handle(event, now: Monotonic.now)
        case .measure(let host): hosts.measure(host, now: Monotonic.now)
        case .report(let progress): report(progress)
        case .startOver: return false
        case .fail(let error): throw error
        }
        return true
    }

    private func openConnections(_ group: inout EventGroup) {
        let now = Monotonic.now
        guard let host = state.host(now: now) else { return }
        let limit = state.connectionLimit(ofHost: hosts.limit(host))
        while state.connectionCount < limit, reserveConnection(host) {
            guard let fetch = state.open(host: host, limit: limit, now: now) else {
                return hosts.release(host, hadResponse: false)
            }
            let connection = DownloadConnection(fetch, stallTimeout: options.stallTimeout, for: self, client)
            group.addTask { .ended(fetch.id, await connection.run()) }
        }
    }

    /// Reserves a connection if the host's limit permits it. The limit applies neither to the first connection nor to a
    /// fixed number of connections.
    private func reserveConnection(_ host: String) -> Bool {
        guard options.connections == nil, state.connectionCount > 0 else {
            hosts.reserve(host)
            return true
        }
        return hosts.reserveIfBelowLimit(host)
    }

    private func startHashing(_ group: inout EventGroup) {
        guard let (range, hasher) = state.startHashing() else { return }
        let part = part
        group.addTask {
            let (hasher, damaged) = try await DiskThreads.run { try part.hash(range, onto: hasher) }
            return .hashed(hasher, damaged: damaged)
        }
    }

    private func startCommit(_ group: inout EventGroup) {
        guard let (journal, bytes) = state.startCommit(now: Monotonic.now) else { return }
        let part = part
        group.addTask {
            try await DiskThreads.run { try part.commit(journal) }
            return .committed(bytes)
        }
    }

    // MARK: Called by connections

    /// Judges a response before its body is read.
    func responded(
        _ fetch: DownloadNetwork.Fetch, status: Int, headers: HTTPHeaders, url: String
    ) throws(FeedClientError) -> ResponseAction {
        let wasKnown = state.missingBytes != nil
        let (action, event) = try state.responded(
            fetch, status: status, headers: headers, url: url, now: Monotonic.now)
        if let event { hosts.handle(event, now: Monotonic.now) }
        if !wasKnown { try checkFreeSpace() }
        return action
    }

    /// The number of the next `count` bytes of a connection that are needed, and the number of needed bytes after them.
    func accept(_ id: Int, _ count: Int) -> (wanted: Int, remaining: Int64) {
        let (wanted, remaining, host) = state.accept(id, count)
        if let host { hosts.received(wanted, from: host) }
        return (wanted, remaining)
    }

    func bodyOfUnknownSizeEnded(at size: Int64) { state.bodyOfUnknownSizeEnded(at: size) }

    /// Writes and records received bytes.
    func write(_ buffer: WriteBuffer) async throws {
        do {
            try await store(buffer)
        } catch {
            state.diskFailed(error)
            throw error
        }
    }

    private func store(_ buffer: WriteBuffer) async throws {
        let (part, chunkSize) = (part, state.chunkSize)
        guard let hasher = state.rangeHasher(at: buffer.offset) else {
            try await DiskThreads.run { try part.write(buffer) { _ in } }
            return state.wroteUnhashed(buffer.range)
        }
        let (completed, rest) = try await DiskThreads.run { () -> ([HashedRange], RangeHasher) in
            var (completed, hasher) = ([HashedRange](), hasher)
            try part.write(buffer) { completed += hasher.append($0, chunkSize: chunkSize) }
            return (completed, hasher)
        }
        state.wrote(completed, rest)
    }
}
