import NIOHTTP1

/// The network side of a download: opens connections for the missing ranges, and decides what follows from their
/// responses and failures.
struct DownloadNetwork: Sendable {
    /// A request to be sent on a new connection.
    struct Fetch: Sendable {
        let id: Int
        let request: RangeRequest
        /// The value of `If-Range`, if any.
        let validator: String?
        let url: String
    }

    /// The consequence of the end of a connection for the download.
    enum Consequence: Sendable {
        case proceed
        case startOver
        case fileChanged
        case fail(any Error)
    }

    /// The number of connections that the caller asked for.
    private let fixedCount: Int?
    private(set) var file: DownloadSource
    private var connections = DownloadConnections(missing: ByteRangeSet(0..<Int64.max))
    private var failures: DownloadRetries

    init(source: String, options: DownloadOptions) {
        fixedCount = options.connections
        file = DownloadSource(source: source)
        failures = DownloadRetries(retries: options.retries, maximumWait: options.maximumWait)
    }

    var connectionCount: Int { connections.count }
    var retries: Int { failures.retries }

    /// The time in seconds until the next attempt, if no connection is open.
    func wait(now: Double) -> Double? {
        connections.isEmpty && failures.retryTime > now ? failures.retryTime - now : nil
    }

    mutating func resume(_ journal: DownloadState, missing: ByteRangeSet, written: Int64) {
        file.resume(journal)
        connections.replaceRanges(missing)
        failures.resume(at: written)
    }

    mutating func startOver() {
        file.startOver()
        connections.replaceRanges(ByteRangeSet(0..<Int64.max))
    }

    mutating func fetchAgain(_ range: Range<Int64>) { connections.fetchAgain(range) }

    mutating func measureRates(seconds: Double) { connections.measureRates(seconds: seconds) }

    mutating func progressed(to written: Int64) { failures.progressed(to: written) }

    // MARK: Opening connections

    /// The host to connect to now; `nil` while waiting.
    func host(now: Double) -> String? { now >= failures.retryTime ? ServerAddress.origin(file.url) : nil }

    /// The number of connections that may be open, given the limit of the host.
    func connectionLimit(ofHost limit: Int) -> Int {
        guard file.isConfirmed, !file.isSinglePass else { return 1 }
        return max(1, min(fixedCount ?? limit, file.capabilities.maximumConnections))
    }

    /// Opens a connection.
    /// - Parameters:
    ///   - limit: The maximum number of open connections.
    ///   - hasChecksum: Whether the caller's checksum verifies the file.
    /// - Returns: `nil` if every missing byte is assigned and sharing is not worthwhile.
    mutating func open(host: String, limit: Int, hasChecksum: Bool, now: Double) -> Fetch? {
        let more = limit - connections.count - 1
        let canShare = file.size.map { ChunkPolicy.isShared(size: $0, isFixedCount: fixedCount != nil) } ?? false
        guard let (id, range) = connections.open(host: host, more: more, canShare: canShare, now: now) else {
            return nil
        }
        let request = RangeRequest(
            range: file.capabilities.supportsRanges ? range : nil,
            isConditional: file.representation != nil && file.capabilities.supportsIfRange,
            acceptsCloseDelimited: hasChecksum)
        return Fetch(id: id, request: request, validator: file.representation?.validator, url: file.url)
    }

    // MARK: Responses

    /// Judges a response before its body is read.
    /// - Throws: ``FeedClientError`` `.integrity`.
    mutating func responded(
        _ fetch: Fetch, status: Int, headers: HTTPHeaders, url: String, expectedSHA256: String?, now: Double
    ) throws(FeedClientError) -> (action: ResponseAction, event: HostEvent?) {
        // The connection may have been closed in the meantime.
        guard connections.host(fetch.id) != nil else { return (.stop(.finished), nil) }
        let isNew = file.representation == nil
        let response = RangeResponse(
            to: fetch.request, known: file.representation, status: status, headers: headers, url: url)
        let action = try file.receive(
            response, to: fetch.request, expectedSHA256: expectedSHA256, isOnly: connections.count == 1)
        guard case .receive = action else { return (action, nil) }
        if isNew { connections.replaceRanges(ByteRangeSet(0..<(file.size ?? .max)), assigningTo: fetch.id) }
        return (action, connections.responded(fetch.id, from: ServerAddress.origin(url), now: now))
    }

    /// The number of the next `count` bytes of a connection that are needed, the number of needed bytes after them, and
    /// the host that sends them.
    mutating func accept(_ id: Int, _ count: Int) -> (wanted: Int, remaining: Int64, host: String?) {
        let (wanted, remaining) = connections.accept(id, count)
        return (wanted, remaining, connections.host(id))
    }

    mutating func bodyOfUnknownSizeEnded(at size: Int64) {
        file.bodyEnded(at: size)
        // Nothing after the end is missing, so no connection is opened for it while the last bytes are being hashed.
        connections.replaceRanges(ByteRangeSet())
    }

    // MARK: Closing connections

    mutating func closeAll() -> [HostEvent] { connections.closeAll().map(Self.closed) }

    /// Records the end of a connection.
    /// - Parameter written: The number of bytes that have been written.
    mutating func ended(
        _ id: Int, _ outcome: FetchOutcome, written: Int64, _ moment: TimeSample
    ) -> (consequence: Consequence, events: [HostEvent]) {
        guard let connection = connections.close(id) else { return (.proceed, []) }
        var events = [Self.closed(connection)]
        if case .interrupted(let error) = outcome, error.code == .tryLater, !connection.isFinished {
            events.append(.throttled(host: connection.host))
        }
        do throws(FeedClientError) {
            return (try consequence(of: outcome, connection, written, moment), events)
        } catch {
            return (.fail(error), events)
        }
    }

    private static func closed(_ connection: DownloadConnections.Connection) -> HostEvent {
        .closed(host: connection.host, hadResponse: connection.hasResponse)
    }

    private mutating func consequence(
        of outcome: FetchOutcome, _ connection: DownloadConnections.Connection, _ written: Int64, _ moment: TimeSample
    ) throws(FeedClientError) -> Consequence {
        switch outcome {
        case .finished: return .proceed
        // The bytes have arrived, or another connection fetches them.
        case .interrupted where connection.isFinished: return .proceed
        case .interrupted(let error): return try interrupted(connection, error, written, moment)
        case .rejected(let error): return try rejected(error, moment)
        case .invalidResponse(let error): return try invalidResponse(connection, error, written, moment)
        case .fileChanged: return try fileChanged()
        case .ifRangeIgnored: file.capabilities.supportsIfRange = false
        case .rangesIgnored: file.capabilities.maximumConnections = 1
        case .rangesUnsupported: return try rangesUnsupported(connection, written, moment)
        case .failed(let error): return .fail(error)
        }
        return .proceed
    }

    private mutating func interrupted(
        _ connection: DownloadConnections.Connection, _ error: FeedClientError, _ written: Int64, _ moment: TimeSample
    ) throws(FeedClientError) -> Consequence {
        let isThrottled = error.code == .tryLater
        // Without a fixed number, the limit of the host is reduced instead, and increased again later.
        if isThrottled, fixedCount != nil, !connections.isEmpty { useOnlyOpenConnections() }
        // The target of a redirect may have expired, unless other connections are still receiving data from it.
        if !connection.hasResponse, connections.isEmpty, !isThrottled { file.returnToSource() }
        failures.progressed(to: written)
        guard failures.connectionFailed(openedAt: connection.openedAt, error, moment) else {
            return try giveUp(error)
        }
        return file.isSinglePass && file.representation != nil ? .startOver : .proceed
    }

    private mutating func invalidResponse(
        _ connection: DownloadConnections.Connection, _ error: FeedClientError, _ written: Int64, _ moment: TimeSample
    ) throws(FeedClientError) -> Consequence {
        failures.progressed(to: written)
        guard failures.responseWasInvalid(openedAt: connection.openedAt, now: moment.now) else {
            return try giveUp(error)
        }
        return try interrupted(connection, error, written, moment)
    }

    /// Fails the download, unless other connections are still receiving data.
    private mutating func giveUp(_ error: FeedClientError) throws(FeedClientError) -> Consequence {
        guard !connections.isEmpty else { throw error }
        useOnlyOpenConnections()
        return .proceed
    }

    private mutating func useOnlyOpenConnections() { file.capabilities.maximumConnections = connections.count }

    private mutating func rejected(_ error: FeedClientError, _ moment: TimeSample) throws(FeedClientError)
        -> Consequence
    {
        guard connections.isEmpty else { return try giveUp(error) }
        // The target of a redirect may have been valid for a limited time only.
        let mayHaveExpired = error.code == .unreachable || [401, 403, 404, 410].contains(error.status)
        guard file.url != file.source, mayHaveExpired, failures.redirectTargetFailed(error, moment) else {
            throw error
        }
        file.returnToSource()
        return .proceed
    }

    private mutating func fileChanged() throws(FeedClientError) -> Consequence {
        guard failures.fileChanged() else {
            throw FeedClientError(.integrity, "The file keeps changing on the server", hint: "Try again later.")
        }
        // Several servers behind one address may use different entity tags; a single connection uses only one server.
        if failures.keepsChanging { file.capabilities.maximumConnections = 1 }
        return .fileChanged
    }

    private mutating func rangesUnsupported(
        _ connection: DownloadConnections.Connection, _ written: Int64, _ moment: TimeSample
    ) throws(FeedClientError) -> Consequence {
        if !file.capabilities.supportsRanges {
            let error = FeedClientError(
                .network, "The server sends neither the whole file nor parts of it", hint: "Try again later.")
            _ = try interrupted(connection, error, written, moment)
        }
        file.capabilities.supportsRanges = false
        return .startOver
    }
}

/// The outcome of fetching a range.
enum FetchOutcome: Sendable {
    /// The requested bytes have arrived, or another connection has taken over the rest.
    case finished
    /// The connection failed, but a new one may succeed.
    case interrupted(FeedClientError)
    /// The server refused the request. If other connections are open, only their number is reduced.
    case rejected(FeedClientError)
    /// The response contradicted itself or the request.
    case invalidResponse(FeedClientError)
    /// The file has changed on the server.
    case fileChanged
    /// The server does not support `If-Range`.
    case ifRangeIgnored
    /// The server sends this file only as a whole, over one connection.
    case rangesUnsupported
    /// The server sent the whole file in response to a request for a part.
    case rangesIgnored
    /// The disk failed or the task was cancelled: the download ends.
    case failed(any Error)

    init(_ error: any Error) {
        guard let error = error as? FeedClientError else {
            self = .failed(error)
            return
        }
        self =
            switch error.code {
            case .network, .tryLater: .interrupted(error)
            case .disk: .failed(error)
            case .integrity: .invalidResponse(error)
            default: .rejected(error)
            }
    }
}

/// The action of a connection in reaction to a response.
enum ResponseAction: Sendable {
    /// Receive the body, which consists of `range`; the first `skip` bytes are not needed.
    case receive(_ range: Range<Int64>, skip: Int64)
    /// Close the connection without reading the body.
    case stop(FetchOutcome)
}
