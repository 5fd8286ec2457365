import Crypto
import Foundation
import NIOHTTP1

/// The state of one download. It combines the network side (``DownloadNetwork``) and the disk side
/// (``DownloadCheckpoint``), and determines the next actions. ``DownloadRun`` performs the actions and reports their
/// results.
struct DownloadStateMachine: Sendable {
    enum Action: Sendable {
        case host(HostEvent)
        /// Measure the rate of a host.
        case measure(host: String)
        case report(DownloadProgress)
        /// Discard all bytes and start over.
        case startOver
        case fail(any Error)
    }

    /// The treatment of the part file and the journal if the download does not finish.
    enum Cleanup: Sendable, Equatable {
        /// The part file may belong to another download.
        case leave
        case commit(DownloadState)
        case discard
    }

    private let source: String
    private let options: DownloadOptions
    /// The request of the caller, completed by that of an unfinished download.
    private(set) var request: DownloadRequest
    private var network: DownloadNetwork
    private var part: DownloadCheckpoint
    private var progress: ProgressTracker
    /// The URL of the unfinished download whose request was adopted.
    private var adoptedURL: String?
    /// Whether the bytes in the part file belong to this download.
    private var ownsPart = false
    /// Whether the complete file is not the expected one.
    private var isCorrupt = false
    private var diskError: (any Error)?

    init(source: String, options: DownloadOptions, now: Double) {
        (self.source, self.options) = (source, options)
        request = DownloadRequest(url: source, sha256: options.sha256, replacesExisting: options.restarts)
        network = DownloadNetwork(source: source, options: options)
        part = DownloadCheckpoint(now: now)
        progress = ProgressTracker(now: now)
    }

    // MARK: Start

    /// - Returns: Whether to resume; otherwise the part file must be emptied before ``startOver()``.
    mutating func start(_ decision: DownloadResumption) -> Bool {
        switch decision {
        case .startOver(let previous, let notice):
            ownsPart = true
            if let notice { progress.notice(notice) }
            if let previous { adopt(previous) }
            return false
        case .resume(let journal):
            adopt(journal.request)
            resume(journal)
            return true
        }
    }

    private mutating func adopt(_ previous: DownloadRequest) {
        adoptedURL = previous.url
        request.sha256 = request.sha256 ?? previous.sha256
        request.replacesExisting = request.replacesExisting || previous.replacesExisting
    }

    /// Resumes a download. The part file belongs to this download as soon as a response confirms that the file is
    /// unchanged.
    private mutating func resume(_ journal: DownloadState) {
        // If the file is complete, a request for its last range confirms that it is unchanged on the server.
        let ranges = journal.isComplete ? journal.ranges.dropLast() : journal.ranges
        part.resume(chunkSize: journal.chunkSize, ranges: ranges)
        network.resume(journal, missing: part.missing(of: journal.file.size ?? 0), written: part.written)
        progress.resume(at: part.written)
    }

    /// Starts over, after the part file has been emptied.
    mutating func startOver() {
        network.startOver()
        part.startOver()
        progress.resume(at: 0)
    }

    /// The number of bytes that have not been written yet, once the size is known.
    var missingBytes: Int64? { network.file.size.map { $0 - part.written } }

    // MARK: Connections

    /// Whether all bytes have been written and hashed.
    var isComplete: Bool { network.file.size == part.hashedSize }

    var connectionCount: Int { network.connectionCount }

    /// The host to connect to now; `nil` while waiting.
    func host(now: Double) -> String? { network.host(now: now) }

    /// The number of connections that may be open, given the limit of the host.
    func connectionLimit(ofHost limit: Int) -> Int { network.connectionLimit(ofHost: limit) }

    mutating func open(host: String, limit: Int, now: Double) -> DownloadNetwork.Fetch? {
        network.open(host: host, limit: limit, hasChecksum: request.sha256 != nil, now: now)
    }

    /// Judges a response before its body is read.
    mutating func responded(
        _ connection: DownloadNetwork.Fetch, status: Int, headers: HTTPHeaders, url: String, now: Double
    ) throws(FeedClientError) -> (action: ResponseAction, event: HostEvent?) {
        let isNew = network.file.representation == nil
        let (action, event) = try network.responded(
            connection, status: status, headers: headers, url: url, expectedSHA256: request.sha256, now: now)
        guard case .receive = action else { return (action, event) }
        ownsPart = true
        if isNew { begin() }
        return (action, event)
    }

    /// Begins the download after the first response has identified the file.
    private mutating func begin() {
        part.startOver(chunkSize: ChunkPolicy.size(of: network.file.size ?? 0, wanted: options.chunkSize))
        guard network.file.isSinglePass else { return }
        progress.notice("The server does not support resuming: one connection downloads the whole file.")
    }

    mutating func accept(_ id: Int, _ count: Int) -> (wanted: Int, remaining: Int64, host: String?) {
        network.accept(id, count)
    }

    mutating func bodyOfUnknownSizeEnded(at size: Int64) { network.bodyOfUnknownSizeEnded(at: size) }

    mutating func ended(_ id: Int, _ outcome: FetchOutcome, _ moment: TimeSample) -> [Action] {
        if let diskError { return [.fail(diskError)] }
        // The checksum of a download from another URL does not apply to a new version of the file.
        if case .fileChanged = outcome, adoptedURL != source { request.sha256 = options.sha256 }
        let (consequence, events) = network.ended(id, outcome, written: part.written, moment)
        let actions = events.map { Action.host($0) }
        switch consequence {
        case .proceed:
            announceRetry(after: outcome)
            return actions
        case .startOver: return actions + [.startOver]
        case .fail(let error): return actions + [.fail(error)]
        case .fileChanged:
            progress.notice("The file has changed on the server: starting over.")
            return actions + [.startOver]
        }
    }

    /// A server that is silent on all connections may keep the user waiting for minutes.
    private mutating func announceRetry(after outcome: FetchOutcome) {
        guard case .interrupted(let error) = outcome, error.cause is DownloadWatchdog.Stall,
            network.connectionCount == 0
        else { return }
        progress.notice(error.message + ": trying again.")
    }

    /// Records that no work is running any more.
    mutating func stopped() -> [HostEvent] {
        part.stopped()
        return network.closeAll()
    }

    // MARK: Disk

    /// The hasher for bytes that are written at `offset`; `nil` if they cannot be resumed and need no hash.
    func rangeHasher(at offset: Int64) -> RangeHasher? {
        network.file.isSinglePass ? nil : part.rangeHasher(at: offset)
    }

    var chunkSize: Int64 { part.chunkSize }

    mutating func wrote(_ completed: [HashedRange], _ rest: RangeHasher) { part.wrote(completed, rest) }

    mutating func wroteUnhashed(_ range: Range<Int64>) { part.wroteUnhashed(range) }

    /// Records a failed write, which ends the download even if the connection has ended for another reason in the
    /// meantime.
    mutating func diskFailed(_ error: any Error) { diskError = diskError ?? error }

    mutating func startHashing() -> (range: Range<Int64>, hasher: PrefixHasher)? { part.startHashing() }

    /// - Parameter damaged: A range from an earlier download that did not match its digest.
    mutating func hashed(_ hasher: PrefixHasher, damaged: HashedRange?) {
        part.hashed(hasher, damaged: damaged)
        guard let damaged else { return }
        network.fetchAgain(damaged.range)
        progress.notice("\(damaged.range.byteCount) bytes on the disk were damaged: downloading them again.")
    }

    /// - Returns: The journal to commit now, and the number of bytes that it lists.
    mutating func startCommit(now: Double) -> (journal: DownloadState, bytes: Int64)? {
        guard let bytes = part.bytesToCommit(size: network.file.size, now: now), let journal else { return nil }
        part.startCommit()
        return (journal, bytes)
    }

    mutating func committed(_ bytes: Int64, now: Double) { part.committed(bytes, now: now) }

    private var journal: DownloadState? {
        guard let file = network.file.representation, !network.file.isSinglePass, part.written > 0 else { return nil }
        return DownloadState(
            request: request, file: file, chunkSize: part.chunkSize, ranges: part.hashedRanges)
    }

    // MARK: Progress

    mutating func tick(now: Double) -> [Action] {
        var actions: [Action] = []
        if let seconds = progress.measurementIsDue(now: now) {
            network.measureRates(seconds: seconds)
            network.progressed(to: part.written)
            progress.measure(written: part.written, now: now)
            if let host = ServerAddress.origin(network.file.url) { actions.append(.measure(host: host)) }
        }
        if progress.reportIsDue(now: now) { actions.append(.report(report(now: now))) }
        return actions
    }

    mutating func report(now: Double) -> DownloadProgress { progress.report(written: part.written, network, now: now) }

    // MARK: End

    /// Verifies the complete file.
    /// - Throws: ``FeedClientError`` `.integrity`.
    mutating func verify(destination: String) throws(FeedClientError) -> DownloadResult {
        let (sha256, promised) = (Hex.text(part.prefix.hash.finalize()), network.file.representation?.sha256)
        if let expected = request.sha256 ?? promised, expected != sha256 {
            isCorrupt = true
            throw FeedClientError(
                .integrity, "The downloaded file is not the expected one: its SHA-256 is \(sha256)",
                hint: request.sha256 == nil
                    ? "Try again later; if that fails, too, the file is damaged on the server."
                    : "Check the checksum and the address.")
        }
        let verification: DownloadResult.Verification =
            request.sha256 != nil ? .sha256FromCaller : promised != nil ? .sha256FromServer : .sizeOnly
        return DownloadResult(
            path: destination, size: part.hashedSize, sha256: sha256, verification: verification,
            resumedFrom: progress.resumedFrom)
    }

    /// The treatment of the part file if the download does not finish.
    var cleanup: Cleanup {
        guard ownsPart else { return .leave }
        guard !isCorrupt, let journal else { return .discard }
        return .commit(journal)
    }

    /// Adds to the error for a full disk how much space is required, and to that for a lost connection how much has
    /// arrived, and what is kept of it.
    func explain(_ error: any Error) -> any Error {
        guard let error = error as? FeedClientError else { return error }
        if error.code == .network, error.status == nil, part.written > 0, let file = network.file.representation {
            return interrupted(error, size: file.size)
        }
        guard let cause = error.cause as? POSIXError, cause.code == .ENOSPC || cause.code == .EDQUOT, let missingBytes
        else { return error }
        return FeedClientError(
            .disk, "\(error.message); \(missingBytes) bytes are missing",
            hint: "Free some space and run the same command again to resume.", cause: cause)
    }

    private func interrupted(_ error: FeedClientError, size: Int64?) -> FeedClientError {
        let total = size.map { " of \($0)" } ?? ""
        let hint =
            if network.file.isSinglePass {
                "Nothing is kept, because the server does not support resuming; the next attempt starts over."
            } else {
                "They are kept; run the same command again to resume."
            }
        return FeedClientError(
            error.code, "\(error.message); \(part.written)\(total) bytes have arrived", hint: hint, cause: error.cause)
    }
}
