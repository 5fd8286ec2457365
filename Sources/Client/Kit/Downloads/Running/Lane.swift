import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// One connection of a transfer: it asks, lets the transfer judge the answer, and brings the bytes.
struct Lane: Sendable {
    let id: Int
    let ask: Ask
    /// For `If-Range`.
    let tag: String?
    let url: String
    let transfer: Transfer
    let client: FeedClient
    let stall: Duration
    private let clock = StallClock()

    init(_ id: Int, ask: Ask, tag: String?, url: String, stall: Duration, of transfer: Transfer, _ client: FeedClient) {
        (self.id, self.ask, self.tag, self.url, self.stall) = (id, ask, tag, url, stall)
        (self.transfer, self.client) = (transfer, client)
    }

    func run() async -> LaneEnd {
        do {
            return try await clock.watching(stall) { try await fetch() }
        } catch {
            return LaneEnd(error)
        }
    }

    private func fetch() async throws -> LaneEnd {
        clock.start()
        let (response, url) = try await answer()
        let status = Int(response.status.code)
        guard [200, 206, 416].contains(status) else { return try await refusal(response, url) }
        switch try await transfer.answered(id, ask, status: status, headers: response.headers, url: url) {
        case .end(let end): return end
        case .receive(let span, let skip):
            return try await receive(response.body, span, skip: skip)
        }
    }

    /// Follows redirects; the credential goes only where it belongs.
    private func answer() async throws -> (HTTPClientResponse, url: String) {
        var url = url
        for _ in 0...Redirect.maximum {
            let response = try await client.downloads.startAny(request(url))
            guard Redirect.statuses.contains(Int(response.status.code)) else { return (response, url) }
            url = try Redirect.target(response.headers.first(name: "Location"), from: url)
        }
        throw FeedClientError(
            .failed, "The server points from one address to the next without end", hint: "Check the address.")
    }

    private func request(_ url: String) -> HTTPClientRequest {
        var request = client.plainRequest(url)
        request.headers.add(name: "Accept-Encoding", value: "identity")
        if let field = ask.field { request.headers.add(name: "Range", value: field) }
        if ask.isConditional, let tag { request.headers.add(name: "If-Range", value: tag) }
        return request
    }

    private func refusal(_ response: HTTPClientResponse, _ url: String) async throws -> LaneEnd {
        let error = try await client.downloads.refusal(response, hadCredentials: client.carriesCredential(to: url))
        switch Int(response.status.code) {
        case 408, 425: return .broken(FeedClientError(.network, error.message, hint: error.hint, status: error.status))
        case 501, 505: return .refused(error)
        default: return LaneEnd(error)
        }
    }

    // MARK: The body

    private func receive(
        _ body: HTTPClientResponse.Body, _ span: Range<Int64>, skip: Int64
    ) async throws -> LaneEnd {
        try await withThrowingTaskGroup(of: Void.self) { writes in
            var batch = Batch(span.lowerBound + skip..<span.upperBound)
            do {
                let isOver = try await pump(body, Skipping(rest: skip), of: span, &batch, &writes)
                if !isOver { try await flush(&batch, &writes) }
                try await writes.waitForAll()
                return isOver ? .done : await ended(at: batch.offset, of: span.upperBound)
            } catch {
                // What came before it broke was paid for.
                try await flush(&batch, &writes)
                try await writes.waitForAll()
                if batch.room == 0 { return .done }
                throw Self.translated(error)
            }
        }
    }

    /// The server was there: it may come back.
    private static func translated(_ error: any Error) -> any Error {
        let error = Transport.translate(error)
        guard let known = error as? FeedClientError, known.code == .unreachable else { return error }
        return FeedClientError(.network, known.message, hint: known.hint, cause: known.cause)
    }

    /// Reads until the body ends.
    /// - Returns: Whether nothing more was wanted before that.
    private func pump(
        _ body: HTTPClientResponse.Body, _ skipping: Skipping, of span: Range<Int64>, _ batch: inout Batch,
        _ writes: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> Bool {
        var (bytes, skipping) = (body.makeAsyncIterator(), skipping)
        clock.start()
        while var buffer = try await bytes.next() {
            clock.stop()
            guard batch.room > 0 else { return true }
            skipping(&buffer)
            batch.append(buffer)
            if batch.isDue { try await flush(&batch, &writes) }
            // Who was asked for no more than that is heard to the end: the connection can be used again.
            guard batch.room > 0 || batch.end == span.upperBound else { return true }
            clock.start()
        }
        clock.stop()
        return false
    }

    /// Hands the batch to the disk, as soon as the one before is written.
    private func flush(_ batch: inout Batch, _ writes: inout ThrowingTaskGroup<Void, any Error>) async throws {
        let (wanted, rest) = await transfer.accept(id, Int(min(Int64(batch.count), batch.room)))
        let taken = batch.take(wanted)
        batch.narrow(to: rest)
        try await writes.waitForAll()
        if wanted > 0 { writes.addTask { try await transfer.write(taken) } }
    }

    private func ended(at offset: Int64, of end: Int64) async -> LaneEnd {
        if end == .max {
            await transfer.streamEnded(at: offset)
            return .done
        }
        guard offset < end else { return .done }
        return .broken(
            FeedClientError(
                .network, "The connection ended after \(offset) of \(end) bytes",
                hint: "Run the same command again to go on."))
    }
}
