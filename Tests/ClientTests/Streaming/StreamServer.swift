import FeedTestSupport
import HTTPTypes
import NIOCore
import Synchronization

/// A server with a public timeline and a stream, whose connections a test can cut. Statuses have the ids 1001, 1002 and
/// so on.
final class StreamServer: Sendable {
    /// The streams that it offers besides pages.
    enum Offer: Sendable {
        /// Server-sent events with ids, after which it resumes.
        case positions
        /// Server-sent events without ids, as Mastodon sends them.
        case events
        /// A response with this status instead of a stream.
        case refusal(Int)
    }

    private struct State {
        var count: Int
        /// Changes when all streams are cut.
        var generation = 0
        var openStreams = 0
        var requests: [String] = []
        var failures = 0
        var streamFailures = 0
        var preamble: String?
        var isPreambleKept = false
    }

    private let offer: Offer
    private let state: Mutex<State>
    /// Posted when a stream is opened, before its page is read.
    private let postsAtOpening: Int

    init(_ offer: Offer, count: Int, postsAtOpening: Int = 0) {
        (self.offer, self.postsAtOpening) = (offer, postsAtOpening)
        state = Mutex(State(count: count))
    }

    /// Paths and the values of `Last-Event-ID`.
    var requests: [String] { state.withLock { $0.requests } }
    var openStreams: Int { state.withLock { $0.openStreams } }

    func post(_ count: Int) { state.withLock { $0.count += count } }

    /// Ends all streams, as a restart does.
    func cut() { state.withLock { $0.generation += 1 } }

    /// Responds to the next pages with 503.
    func failPages(_ count: Int) { state.withLock { $0.failures = count } }

    /// Responds to the next requests for streams with 503.
    func failStreams(_ count: Int) { state.withLock { $0.streamFailures = count } }

    /// Sends these bytes at the beginning of the next stream, and then nothing.
    /// - Parameter untilResumed: Does the same with the streams after it, until one is resumed.
    func send(_ preamble: String, untilResumed: Bool = false) {
        state.withLock { ($0.preamble, $0.isPreambleKept) = (preamble, untilResumed) }
    }

    static func id(_ number: Int) -> String { String(1000 + number) }

    @Sendable func respond(_ request: Request) async throws -> Response {
        let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        // Read together, so that a page does not contain what is posted after its request is known.
        let count = state.withLock { state in
            state.requests.append(request.uri.path + (last.map { " " + $0 } ?? ""))
            return state.count
        }
        guard request.uri.path.hasPrefix("/api/v1/streaming") else { return page(request, count: count) }
        let fails = state.withLock { state in
            state.streamFailures -= 1
            return state.streamFailures >= 0
        }
        if fails { return Response(status: .serviceUnavailable) }
        switch offer {
        case .positions: return stream(after: last, hasPositions: true)
        case .events: return stream(after: nil, hasPositions: false)
        case .refusal(let status): return Response(status: .init(code: status))
        }
    }

    private func page(_ request: Request, count: Int) -> Response {
        let fails = state.withLock { state in
            state.failures -= 1
            return state.failures >= 0
        }
        if fails { return Response(status: .serviceUnavailable) }
        func number(_ name: String) -> Int? { request.uri.queryParameters[name].flatMap { Int($0) } }
        let limit = number("limit") ?? 20
        let ids = (1..<(count + 1)).map { 1000 + $0 }
        let older = ids.filter { $0 < number("max_id") ?? .max && $0 > number("min_id") ?? 0 }
        let found = number("min_id") == nil ? older.suffix(limit) : older.prefix(limit)
        let body = "[" + found.reversed().map { MediaServer.status("\($0)") }.joined(separator: ",") + "]"
        var response = Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
        if let link = HTTPField.Name("Link"), let oldest = found.first, oldest > 1001 {
            response.headers[link] = "<http://127.0.0.1/?max_id=\(oldest)>; rel=\"next\""
        }
        return response
    }

    private func stream(after last: String?, hasPositions: Bool) -> Response {
        let (start, generation, preamble) = state.withLock { state in
            let start = last.flatMap { Int($0.dropFirst(2)) } ?? state.count
            state.count += postsAtOpening
            if state.isPreambleKept, last != nil { state.preamble = nil }
            defer { if !state.isPreambleKept { state.preamble = nil } }
            return (start, state.generation, state.preamble)
        }
        let body = ResponseBody { [self] writer in
            state.withLock { $0.openStreams += 1 }
            defer { state.withLock { $0.openStreams -= 1 } }
            try await writer.write(ByteBuffer(string: preamble ?? ":)\n\n"))
            var sent = start
            while true {
                // Read together, so that nothing that is posted after a cut is sent.
                let (current, posted) = state.withLock { ($0.generation, $0.count) }
                guard current == generation else { break }
                let count = preamble == nil ? posted : sent
                while sent < count {
                    sent += 1
                    try await writer.write(ByteBuffer(string: Self.event(sent, hasPosition: hasPositions)))
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8"], body: body)
    }

    private static func event(_ number: Int, hasPosition: Bool) -> String {
        (hasPosition ? "id: e-\(number)\n" : "") + "event: update\ndata: \(MediaServer.status(id(number)))\n\n"
    }
}
