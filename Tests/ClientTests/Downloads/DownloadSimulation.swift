import FeedTestSupport
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

/// A transfer of known bytes. The network and the disk are simulated, so that a test decides what happens and when.
final class DownloadSimulation {
    static let source = "http://a.example/file.bin"
    static let host = "http://a.example:80"
    static let tag = "\"v1\""

    /// The file on the server.
    let bytes: [UInt8]
    private(set) var state: DownloadStateMachine
    /// The part file.
    var part: [UInt8]
    var now = 0.0

    init(size: Int, options: DownloadOptions = DownloadOptions()) {
        var options = options
        options.chunkSize = options.chunkSize ?? 64 << 10
        bytes = Array(SampleBytes.make(size))
        part = Array(repeating: 0, count: size)
        state = DownloadStateMachine(source: Self.source, options: options, now: 0)
    }

    /// Starts without an earlier download.
    func start() {
        #expect(!start(.startOver(previous: nil, notice: nil)))
        state.startOver()
    }

    /// - Returns: Whether the transfer resumes.
    func start(_ decision: DownloadResumption) -> Bool { state.start(decision) }

    func startOver() {
        _ = state.stopped()
        part = Array(repeating: 0, count: bytes.count)
        state.startOver()
    }

    // MARK: Network

    func open(limit: Int = 1) -> DownloadNetwork.Fetch? {
        guard state.host(now: now) == Self.host,
            state.connectionCount < state.connectionLimit(ofHost: limit)
        else { return nil }
        return state.open(host: Self.host, limit: state.connectionLimit(ofHost: limit), now: now)
    }

    /// Sends the whole file without stating its size.
    func respondWithUnknownSize(to fetch: DownloadNetwork.Fetch) throws -> ResponseAction {
        let headers: HTTPHeaders = ["Transfer-Encoding": "chunked", "ETag": Self.tag]
        return try state.responded(fetch, status: 200, headers: headers, url: fetch.url, now: now).action
    }

    func bodyEnds() { state.bodyOfUnknownSizeEnded(at: Int64(bytes.count)) }

    /// Sends the response of a server that supports everything, or another one.
    func respond(
        to fetch: DownloadNetwork.Fetch, status: Int? = nil, tag: String? = tag, _ more: [(String, String)] = []
    ) throws -> ResponseAction {
        var headers = HTTPHeaders(more)
        if let tag { headers.add(name: "ETag", value: tag) }
        if let range = fetch.request.range, status != 200 {
            let last = min(range.upperBound, Int64(bytes.count)) - 1
            headers.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(last)/\(bytes.count)")
        } else {
            headers.add(name: "Content-Length", value: String(bytes.count))
        }
        let status = status ?? (fetch.request.range == nil ? 200 : 206)
        return try state.responded(fetch, status: status, headers: headers, url: fetch.url, now: now).action
    }

    /// Delivers bytes of the file.
    /// - Returns: The number of wanted bytes among them, and the number of bytes that the connection must still
    ///   deliver.
    func deliver(_ id: Int, from offset: Int64, count: Int) -> (wanted: Int, remaining: Int64) {
        let (wanted, remaining, _) = state.accept(id, count)
        write(offset..<offset + Int64(wanted))
        return (wanted, remaining)
    }

    func end(_ id: Int, _ outcome: FetchOutcome) -> [DownloadStateMachine.Action] {
        state.ended(id, outcome, TimeSample(now: now, jitter: 0))
    }

    func tick() { _ = state.tick(now: now) }

    func report(at now: Double = 0) -> DownloadProgress { state.report(now: now) }

    // MARK: Disk

    func startCommit(at now: Double) -> (journal: DownloadState, bytes: Int64)? { state.startCommit(now: now) }

    func committed(_ bytes: Int64, at now: Double) { state.committed(bytes, now: now) }

    func diskFailed(_ error: FeedClientError) { state.diskFailed(error) }

    func verify() throws -> DownloadResult { try state.verify(destination: "file.bin") }

    private func write(_ range: Range<Int64>) {
        let indices = Int(range.lowerBound)..<Int(range.upperBound)
        part.replaceSubrange(indices, with: bytes[indices])
        guard var hasher = state.rangeHasher(at: range.lowerBound) else { return state.wroteUnhashed(range) }
        let completed = bytes[indices].withUnsafeBytes { hasher.append($0, chunkSize: state.chunkSize) }
        state.wrote(completed, hasher)
    }

    /// Reads back everything that has been written.
    func hash() {
        while let (range, hasher) = state.startHashing() {
            let unverified = hasher.unverified.first { $0.range == range }
            var next = hasher
            if unverified == nil || unverified == hashed(range) {
                part[Int(range.lowerBound)..<Int(range.upperBound)].withUnsafeBytes { next.append($0) }
                if unverified != nil { next.removeFirstUnverified() }
                state.hashed(next, damaged: nil)
            } else {
                next.removeFirstUnverified()
                state.hashed(next, damaged: unverified)
            }
        }
    }

    /// A range of the part file with its digest.
    func hashed(_ range: Range<Int64>) -> HashedRange {
        var hasher = RangeHasher(start: range.lowerBound)
        let completed = part[Int(range.lowerBound)..<Int(range.upperBound)].withUnsafeBytes {
            hasher.append($0, chunkSize: 64 << 10)
        }
        return completed.first ?? HashedRange(hasher)
    }

    /// The journal of an earlier download of the same file, with these chunks. They are in the part file.
    func journal(chunks: Range<Int>, request: DownloadRequest? = nil) -> DownloadState {
        let size = Int64(bytes.count)
        let file = FileIdentity(url: Self.source, validator: Self.tag, size: size, sha256: nil)
        let ranges = chunks.map { Int64($0) << 16..<min(size, Int64($0 + 1) << 16) }
        for range in ranges {
            let indices = Int(range.lowerBound)..<Int(range.upperBound)
            part.replaceSubrange(indices, with: bytes[indices])
        }
        return DownloadState(
            request: request ?? DownloadRequest(url: Self.source), file: file, chunkSize: 64 << 10,
            ranges: ranges.map(hashed))
    }
}

extension DownloadStateMachine.Action {
    var startsOver: Bool { if case .startOver = self { true } else { false } }

    /// The error that ends the transfer.
    var error: FeedClientError? { if case .fail(let error) = self { error as? FeedClientError } else { nil } }
}
