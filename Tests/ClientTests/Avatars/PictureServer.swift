import FeedTestSupport
import HTTPTypes
import NIOCore
import Synchronization

/// A real HTTP server on a free port that serves the pictures a test has stored, and counts requests.
final class PictureServer: Sendable {
    /// The response for a path.
    struct Page: Sendable {
        var bytes: [UInt8] = []
        var status = HTTPResponse.Status.ok
        var headers: HTTPFields = [:]
        /// Whether to omit the length.
        var isChunked = false
    }

    private struct State {
        var port = 0
        var pages: [String: Page] = [:]
        var requests: [String: Int] = [:]
        var statuses: [String: [Int]] = [:]
        var isHeld = false
        var active = 0
        var peakActive = 0
        var hasSeenCredentials = false
    }

    private let state = Mutex(State())

    var address: String { state.withLock { "http://127.0.0.1:\($0.port)" } }
    /// The current and the maximum number of pending requests.
    var active: Int { state.withLock { $0.active } }
    var peakActive: Int { state.withLock { $0.peakActive } }
    var hasSeenCredentials: Bool { state.withLock { $0.hasSeenCredentials } }

    /// Runs a server for the duration of `test`.
    /// - Parameter port: 0 for any free port.
    static func serving<Value: Sendable>(
        port: Int = 0, _ test: @escaping @Sendable (PictureServer) async throws -> Value
    ) async throws -> Value {
        let server = PictureServer()
        return try await LocalServer.serving(port: port, server.respond) { port in
            server.state.withLock { $0.port = port }
            return try await test(server)
        }
    }

    /// Bytes that start like a PNG; different seeds give different bytes.
    static func picture(_ seed: UInt8 = 1, size: Int = 300) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: seed, count: max(0, size - 8))
    }

    func put(_ path: String, _ page: Page) { state.withLock { $0.pages[path] = page } }

    func put(_ path: String, _ bytes: [UInt8] = PictureServer.picture(), _ headers: HTTPFields = [:]) {
        put(path, Page(bytes: bytes, headers: headers))
    }

    /// The number of requests for a path.
    func requests(_ path: String) -> Int { state.withLock { $0.requests[path] ?? 0 } }

    /// The status codes of the responses for a path.
    func statuses(_ path: String) -> [Int] { state.withLock { $0.statuses[path] ?? [] } }

    /// Holds back all responses until it is called with `false`.
    func hold(_ isHeld: Bool = true) { state.withLock { $0.isHeld = isHeld } }

    @Sendable private func respond(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let page = begin(path, hasCredentials: request.headers[.authorization] != nil)
        defer { state.withLock { $0.active -= 1 } }
        while state.withLock({ $0.isHeld }) { try await Task.sleep(for: .milliseconds(5)) }
        let response = Self.response(page ?? Page(bytes: Array("nothing".utf8), status: .notFound), to: request)
        state.withLock { $0.statuses[path, default: []].append(response.status.code) }
        return response
    }

    private func begin(_ path: String, hasCredentials: Bool) -> Page? {
        state.withLock { state in
            state.requests[path, default: 0] += 1
            state.active += 1
            state.peakActive = max(state.peakActive, state.active)
            state.hasSeenCredentials = state.hasSeenCredentials || hasCredentials
            return state.pages[path]
        }
    }

    private static func response(_ page: Page, to request: Request) -> Response {
        if let etag = page.headers[.eTag], request.headers[.ifNoneMatch] == etag {
            return Response(status: .notModified, headers: page.headers)
        }
        if let date = page.headers[.lastModified], request.headers[.ifModifiedSince] == date {
            return Response(status: .notModified, headers: page.headers)
        }
        let buffer = ByteBuffer(bytes: page.bytes)
        guard page.isChunked else {
            return Response(status: page.status, headers: page.headers, body: ResponseBody(byteBuffer: buffer))
        }
        let body = ResponseBody { try await $0.write(buffer) }
        return Response(status: page.status, headers: page.headers, body: body)
    }
}
