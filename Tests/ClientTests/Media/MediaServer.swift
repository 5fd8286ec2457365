import FeedClientKit
import FeedTestSupport
import HTTPTypes
import NIOCore
import Synchronization

/// A server that stores media and statuses in memory, as far as the client needs it, and records the requests.
final class MediaServer: Sendable {
    /// A request that was received.
    struct Received: Sendable, Equatable {
        /// Method and path.
        let line: String
        let body: String
    }

    /// Responses to send instead of the usual ones, by the beginning of a request's line; each is sent once.
    private let special: Mutex<[(line: String, response: @Sendable () -> Response)]>
    private let received = Mutex<[Received]>([])
    /// The number of questions to which a file is still being processed.
    private let rounds: Int
    private let uploads = Atomic(0)
    private let questions = Atomic(0)

    init(rounds: Int = 0, special: [(line: String, response: @Sendable () -> Response)] = []) {
        self.rounds = rounds
        self.special = Mutex(special)
    }

    var lines: [String] { received.withLock { $0.map(\.line) } }

    /// The bodies of the requests whose lines begin with `line`.
    func bodies(_ line: String) -> [String] {
        received.withLock { $0.filter { $0.line.hasPrefix(line) }.map(\.body) }
    }

    static func json(_ text: String, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]) -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func error(_ status: HTTPResponse.Status, _ message: String, _ headers: HTTPFields = [:]) -> Response {
        json(#"{"error":"\#(message)"}"#, status, headers)
    }

    static func status(_ id: String) -> String {
        let account = #"{"id":"1","username":"ada","acct":"ada","display_name":""}"#
        return #"{"id":"\#(id)","created_at":"2026-01-01T00:00:00.000Z","account":\#(account),"content":"","#
            + #""visibility":"public","spoiler_text":"","mentions":[],"tags":[]}"#
    }

    /// Runs `test` with a client of this server.
    func run<Value: Sendable>(_ test: @escaping @Sendable (FeedClient) async throws -> Value) async throws -> Value {
        try await TestHTTPServer.serving(respond) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let result: Result<Value, any Error>
            do { result = .success(try await test(client)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }
    }

    @Sendable private func respond(_ request: Request) -> Response {
        guard [.get, .post, .put, .delete].contains(request.method) else { return Response(status: .notFound) }
        let body = String(buffer: request.body)
        let line = request.method.rawValue + " " + request.uri.path
        received.withLock { $0.append(Received(line: line, body: body)) }
        let found = special.withLock { special in
            special.firstIndex { line.hasPrefix($0.line) }.map { special.remove(at: $0).response }
        }
        return found?() ?? usual(line)
    }

    private func usual(_ line: String) -> Response {
        switch line {
        case "POST /api/v2/media":
            let id = "m\(uploads.add(1, ordering: .relaxed).newValue)"
            return rounds == 0 ? Self.json(media(id)) : Self.json(media(id, isReady: false), .accepted)
        case "POST /api/v1/statuses": return Self.json(Self.status("9"))
        default: break
        }
        let id = line.split(separator: "/").last.map(String.init) ?? ""
        if line.hasPrefix("DELETE /api/v1/media/") { return Self.json("{}") }
        if line.hasPrefix("PUT /api/v1/media/") { return Self.json(media(id)) }
        guard line.hasPrefix("GET /api/v1/media/") else { return Self.error(.notFound, "Record not found") }
        let isReady = questions.add(1, ordering: .relaxed).newValue >= rounds
        return Self.json(media(id, isReady: isReady), isReady ? .ok : .partialContent)
    }

    private func media(_ id: String, isReady: Bool = true) -> String {
        #"{"id":"\#(id)","type":"image","url":\#(isReady ? "\"http://feed.test/media/x/\(id)\"" : "null")}"#
    }
}
