import AsyncHTTPClient
import DequeModule
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Fetches pictures from any web server, without credentials.
struct AvatarFetcher: Sendable {
    struct Response: Sendable {
        let headers: HTTPHeaders
        /// `nil` if the cached picture is still valid.
        let bytes: [UInt8]?
    }

    private static let redirects: Set<UInt> = [301, 302, 303, 307, 308]
    private static let maximumRedirects = 3
    private static let maximumDrainedBytes = 16 * 1024
    /// The maximum length of a URL in bytes.
    private static let maximumURLLength = 4096

    let client: FeedClient
    /// The largest size of a picture, in bytes.
    let maximumBytes: Int

    /// - Parameters:
    ///   - cached: The cached picture, which is fetched again only if it has changed.
    ///   - timeout: The timeout for each request, including the body.
    /// - Throws: ``FeedClientError``, or `CancellationError`.
    func fetch(_ url: String, cached: AvatarEntry?, timeout: TimeAmount) async throws -> Response {
        var url = url
        for _ in 0...Self.maximumRedirects {
            let response = try await execute(request(url, cached), timeout)
            if response.status == .notModified, cached != nil {
                await Self.drain(response)
                return Response(headers: response.headers, bytes: nil)
            }
            guard let target = Self.target(of: response, from: url) else {
                return Response(headers: response.headers, bytes: try await bytes(of: response))
            }
            await Self.drain(response)
            url = try Self.validated(target)
        }
        throw FeedClientError(.failed, "The picture's address redirects too many times")
    }

    /// The URL without its fragment.
    /// - Throws: ``FeedClientError`` `.failed` unless it is an http or https URL.
    static func validated(_ url: String) throws(FeedClientError) -> String {
        guard url.utf8.count <= maximumURLLength, let parts = URL(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host(), !host.isEmpty, parts.hasValidPort,
            parts.user() == nil
        else { throw FeedClientError(.failed, "The picture's address is not a web address") }
        return String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") }))
    }

    private func request(_ url: String, _ cached: AvatarEntry?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: client.options.userAgent)
        request.headers.add(name: "Accept", value: "image/png, image/jpeg, image/gif, image/webp, */*;q=0.1")
        if let etag = cached?.etag { request.headers.add(name: "If-None-Match", value: etag) }
        if let date = cached?.lastModified { request.headers.add(name: "If-Modified-Since", value: date) }
        return request
    }

    private func execute(_ request: HTTPClientRequest, _ timeout: TimeAmount) async throws -> HTTPClientResponse {
        let transport = client.transport
        return try await transport.translated { try await transport.client.execute(request, timeout: timeout) }
    }

    private static func target(of response: HTTPClientResponse, from url: String) -> String? {
        guard redirects.contains(response.status.code), let location = response.headers.first(name: "Location") else {
            return nil
        }
        return URL(string: location, relativeTo: URL(string: url))?.absoluteString
    }

    private func bytes(of response: HTTPClientResponse) async throws -> [UInt8] {
        guard response.status == .ok else {
            throw await client.transport.error(response, hadCredentials: false)
        }
        if let text = response.headers.first(name: "Content-Length"), let count = Int(text), count > maximumBytes {
            throw tooLarge
        }
        return try await client.transport.translated { try await collected(response.body) }
    }

    private func collected(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= maximumBytes else { throw tooLarge }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }

    private var tooLarge: FeedClientError {
        FeedClientError(.failed, "The picture is larger than \(maximumBytes) bytes")
    }

    /// Reads a short body, so that the connection can be reused.
    private static func drain(_ response: HTTPClientResponse) async {
        _ = try? await response.body.collect(upTo: maximumDrainedBytes)
    }
}

/// Limits the requests that run at the same time, in total and to one host. The others wait in the order of arrival; a
/// slow host does not hold places that others could use. A cancelled task stops waiting.
final class RequestLimiter: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct Waiter {
        let id: Int
        let host: String
        let continuation: Continuation
    }

    private struct State {
        var running = 0
        /// The running requests to each host that has any.
        var hosts: [String: Int] = [:]
        var lastID = 0
        var waiters = Deque<Waiter>()
    }

    private let maximum: Int
    private let maximumPerHost: Int
    private let state = Mutex(State())

    init(_ maximum: Int, perHost: Int) {
        self.maximum = max(1, maximum)
        maximumPerHost = max(1, perHost)
    }

    /// Performs `work` when the limits permit another request to `host`.
    /// - Throws: Any error thrown by `work`; `CancellationError`.
    func run<Value>(
        _ host: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        try await enter(host)
        defer { leave(host) }
        return try await work()
    }

    private func enter(_ host: String) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Waiter(id: id, host: host, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func enqueue(_ waiter: Waiter) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            guard mayStart(waiter.host, state) else {
                state.waiters.append(waiter)
                return nil
            }
            start(waiter.host, &state)
            return .success(())
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }

    private func mayStart(_ host: String, _ state: State) -> Bool {
        state.running < maximum && state.hosts[host, default: 0] < maximumPerHost
    }

    private func start(_ host: String, _ state: inout State) {
        state.running += 1
        state.hosts[host, default: 0] += 1
    }

    /// Ends a request, and starts the first waiting one that the limits permit.
    private func leave(_ host: String) {
        let next = state.withLock { state -> Continuation? in
            state.running -= 1
            state.hosts[host] = state.hosts[host].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard let index = state.waiters.firstIndex(where: { mayStart($0.host, state) }) else { return nil }
            let waiter = state.waiters.remove(at: index)
            start(waiter.host, &state)
            return waiter.continuation
        }
        next?.resume()
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
