import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One connection of a download. It sends a range request, passes the response to the download, and delivers the body.
struct DownloadConnection: Sendable {
    let fetch: DownloadNetwork.Fetch
    let stallTimeout: Duration
    let download: DownloadRun
    let client: FeedClient
    private let watchdog = DownloadWatchdog()

    init(_ fetch: DownloadNetwork.Fetch, stallTimeout: Duration, for download: DownloadRun, _ client: FeedClient) {
        (self.fetch, self.stallTimeout) = (fetch, stallTimeout)
        (self.download, self.client) = (download, client)
    }

    func run() async -> FetchOutcome {
        do {
            return try await watchdog.run(timeout: stallTimeout) { try await perform() }
        } catch {
            return FetchOutcome(error)
        }
    }

    private func perform() async throws -> FetchOutcome {
        watchdog.start()
        let (response, url) = try await send()
        let status = Int(response.status.code)
        guard [200, 206, 416].contains(status) else { return await outcome(ofError: response, url) }
        switch try await download.responded(fetch, status: status, headers: response.headers, url: url) {
        case .stop(let outcome): return outcome
        case .receive(let range, let skip): return try await receive(response.body, range, skip: skip)
        }
    }

    /// Sends the request and follows redirects. The credential is sent only to the client's own server.
    private func send() async throws -> (HTTPClientResponse, url: String) {
        var url = fetch.url
        for _ in 0...Redirect.maximum {
            let response = try await client.downloads.execute(request(url))
            guard Redirect.statuses.contains(Int(response.status.code)) else { return (response, url) }
            url = try Redirect.target(response.headers.first(name: "Location"), from: url)
        }
        throw FeedClientError(.failed, "The server redirected too many times", hint: "Check the address.")
    }

    private func request(_ url: String) -> HTTPClientRequest {
        var request = client.plainRequest(url)
        request.headers.add(name: "Accept-Encoding", value: "identity")
        if let range = fetch.request.rangeField { request.headers.add(name: "Range", value: range) }
        if fetch.request.isConditional, let validator = fetch.validator {
            request.headers.add(name: "If-Range", value: validator)
        }
        return request
    }

    private func outcome(ofError response: HTTPClientResponse, _ url: String) async -> FetchOutcome {
        let error = await client.downloads.error(response, hadCredentials: client.carriesCredential(to: url))
        switch Int(response.status.code) {
        case 408, 425:
            return .interrupted(FeedClientError(.network, error.message, hint: error.hint, status: error.status))
        case 501, 505: return .rejected(error)
        default: return FetchOutcome(error)
        }
    }

    // MARK: The body

    private func receive(
        _ body: HTTPClientResponse.Body, _ range: Range<Int64>, skip: Int64
    ) async throws -> FetchOutcome {
        try await withThrowingTaskGroup(of: Void.self) { writes in
            var buffer = WriteBuffer(range, skipping: skip)
            do {
                let isSatisfied = try await read(body, of: range, into: &buffer, &writes)
                if !isSatisfied { try await flush(&buffer, &writes) }
                try await writes.waitForAll()
                return isSatisfied ? .finished : await bodyEnded(at: buffer.offset, of: range.upperBound)
            } catch {
                // The bytes that arrived before the failure are kept.
                try await flush(&buffer, &writes)
                try await writes.waitForAll()
                if buffer.remaining == 0 { return .finished }
                throw Self.reconnectable(error)
            }
        }
    }

    /// Makes a failure to connect retryable, because the server has responded before. A body that is shorter than its
    /// length is no fault of the HTTP syntax.
    private static func reconnectable(_ error: any Error) -> any Error {
        if case HTTPParserError.invalidEOFState = error { return endedEarly(error) }
        if let error = error as? HTTPClientError, error == .remoteConnectionClosed { return endedEarly(error) }
        let error = TransportError.translate(error)
        guard let unreachable = error as? FeedClientError, unreachable.code == .unreachable else { return error }
        return FeedClientError(.network, unreachable.message, hint: unreachable.hint, cause: unreachable.cause)
    }

    /// Reads until the body ends.
    /// - Returns: Whether all needed bytes had arrived before that.
    private func read(
        _ body: HTTPClientResponse.Body, of range: Range<Int64>, into buffer: inout WriteBuffer,
        _ writes: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> Bool {
        var chunks = body.makeAsyncIterator()
        watchdog.start()
        while let chunk = try await chunks.next() {
            watchdog.stop()
            guard buffer.remaining > 0 else { return true }
            let now = Monotonic.now
            buffer.append(chunk, now: now)
            if buffer.isDue(now: now) { try await flush(&buffer, &writes) }
            // A body that ends with the requested range is read completely, so that the connection can be reused.
            guard buffer.remaining > 0 || buffer.end == range.upperBound else { return true }
            watchdog.start()
        }
        watchdog.stop()
        return false
    }

    /// Writes the buffered bytes as soon as the previous write has returned.
    private func flush(_ buffer: inout WriteBuffer, _ writes: inout ThrowingTaskGroup<Void, any Error>) async throws {
        let count = Int(min(Int64(buffer.count), buffer.remaining))
        let (wanted, remaining) = await download.accept(fetch.id, count)
        let taken = buffer.take(wanted)
        buffer.truncate(to: remaining)
        try await writes.waitForAll()
        if wanted > 0 { writes.addTask { try await download.write(taken) } }
    }

    private func bodyEnded(at offset: Int64, of end: Int64) async -> FetchOutcome {
        if end == .max {
            await download.bodyOfUnknownSizeEnded(at: offset)
            return .finished
        }
        guard offset < end else { return .finished }
        return .interrupted(Self.endedEarly(nil))
    }

    /// ``DownloadStateMachine`` adds how much has arrived, and what is kept.
    private static func endedEarly(_ cause: (any Error)?) -> FeedClientError {
        FeedClientError(.network, "The connection ended early", hint: "Try again later.", cause: cause)
    }
}

/// A buffer for received bytes, which combines many small reads into one write.
struct WriteBuffer: Sendable {
    /// The number of bytes at which the buffer is written.
    static let capacity = 512 << 10
    /// The time in seconds after which the bytes of a slow connection are written.
    static let maximumDelay = 0.2

    /// The position of the buffered bytes in the file.
    private(set) var offset: Int64
    /// The end of the needed bytes. It only decreases, when another connection takes over the rest.
    private(set) var end: Int64
    private(set) var buffers: [ByteBuffer] = []
    /// The number of buffered bytes.
    private(set) var count = 0
    /// Bytes at the start of the body that are not needed.
    private var skip: Int64
    private var firstAppend: Double?

    /// - Parameters:
    ///   - body: The range of bytes in the response.
    ///   - skip: The number of bytes at its start that are not needed.
    init(_ body: Range<Int64>, skipping skip: Int64 = 0) {
        (offset, end, self.skip) = (body.lowerBound + skip, body.upperBound, skip)
    }

    /// The bytes in the buffer.
    var range: Range<Int64> { offset..<offset + Int64(count) }

    /// The number of bytes that are still needed, including the buffered ones.
    var remaining: Int64 { end - offset }

    func isDue(now: Double) -> Bool {
        count >= Self.capacity || Int64(count) >= remaining
            || firstAppend.map { now - $0 >= Self.maximumDelay } ?? false
    }

    mutating func append(_ received: ByteBuffer, now: Double) {
        var buffer = received
        let skipped = Int(min(skip, Int64(buffer.readableBytes)))
        buffer.moveReaderIndex(forwardBy: skipped)
        skip -= Int64(skipped)
        guard buffer.readableBytes > 0 else { return }
        if firstAppend == nil { firstAppend = now }
        buffers.append(buffer)
        count += buffer.readableBytes
    }

    /// Limits the needed bytes to the next `count`.
    mutating func truncate(to count: Int64) {
        if count < remaining { end = offset + count }
    }

    /// Removes the first `wanted` bytes and discards the other buffered ones.
    mutating func take(_ wanted: Int) -> WriteBuffer {
        var taken = self
        while taken.count > wanted, var last = taken.buffers.popLast() {
            taken.count -= last.readableBytes
            if taken.count < wanted, let part = last.readSlice(length: wanted - taken.count) {
                taken.buffers.append(part)
                taken.count += part.readableBytes
            }
        }
        (offset, buffers, count, firstAppend) = (offset + Int64(wanted), [], 0, nil)
        return taken
    }
}

/// Resolves redirects.
enum Redirect {
    /// The maximum number of redirects that are followed.
    static let maximum = 10
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The absolute URL of a `Location` field.
    /// - Throws: ``FeedClientError`` for anything but an http or https URL, and for a redirect from https to http.
    static func target(_ location: String?, from url: String) throws(FeedClientError) -> String {
        guard let location, let base = URL(string: url), let next = URL(string: location, relativeTo: base),
            let scheme = next.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = next.host(), !host.isEmpty, next.hasValidPort
        else {
            throw FeedClientError(.failed, "The server redirected to an invalid address", hint: "Check the address.")
        }
        guard scheme == "https" || base.scheme?.lowercased() == "http" else {
            throw FeedClientError(
                .unauthorized, "The server redirected from https to http",
                hint: "An http response could come from anyone. To accept that, use the http address yourself.")
        }
        return next.absoluteString
    }
}
