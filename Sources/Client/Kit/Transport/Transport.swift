import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import Synchronization

/// Sends requests with timeouts, bounded responses, safe retries, and understandable errors.
final class Transport: Sendable {
    /// The largest response body that is read into memory, in bytes.
    static let maximumBody = 16 << 20
    private static let maximumErrorBody = 64 << 10
    private static let maximumAttempts = 3

    let client: HTTPClient
    /// The trusted certificates.
    let tls: TLSConfiguration
    /// The longest time between two reads from the server; `nil` for no limit.
    let readTimeout: TimeAmount?
    /// The time until a response is complete, unless a request has a limit of its own.
    private let responseTimeout: TimeAmount
    let proxy: ProxySettings?
    private let monitor: ConnectionMonitor
    let cache: ResponseCache?
    private let policy: CachePolicy
    /// Whether nothing is sent.
    var isOffline: Bool { policy == .cacheOnly }
    private let renew: Renewal?
    private let trace: (@Sendable (String) -> Void)?
    /// Whether any server has responded, so that a failed connection may be temporary.
    private let hasResponse = Atomic(false)

    /// Returns the access token to use instead of one that the server has refused; `nil` if there is none.
    typealias Renewal = @Sendable (_ rejected: String) async throws -> String?

    /// The purpose of the connections.
    enum Purpose {
        case requests
        /// The caller detects stalls and retries failed connections.
        case downloads
        /// Responses without an end, which fail when the server is silent for too long.
        case streams(silence: TimeAmount)

        var readTimeout: TimeAmount? {
            switch self {
            case .requests: .seconds(60)
            case .downloads: nil
            case .streams(let silence): silence
            }
        }

        /// Ranges of files and events are used as they arrive.
        var decompression: HTTPClient.Decompression {
            if case .requests = self { .enabled(limit: .size(maximumBody)) } else { .disabled }
        }

        var connectionsPerHost: Int {
            switch self {
            case .requests: 16
            case .downloads, .streams: 64
            }
        }
    }

    /// - Parameters:
    ///   - purpose: The purpose of the connections.
    ///   - authorities: Trusted instead of the system's authorities.
    ///   - options: How to connect.
    ///   - monitor: Observes the requests.
    ///   - cache: Holds responses that are read as a whole.
    ///   - policy: How the cache is used.
    ///   - renew: Replaces access tokens.
    ///   - trace: Called with a description of each request and response, without secrets.
    init(
        for purpose: Purpose = .requests, authorities: CertificateAuthorities? = nil,
        options: ConnectionOptions = ConnectionOptions(), monitor: ConnectionMonitor = ConnectionMonitor(),
        cache: ResponseCache? = nil,
        policy: CachePolicy = .useProtocol, renew: Renewal? = nil, trace: (@Sendable (String) -> Void)? = nil
    ) {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorities {
            tls.trustRoots = .certificates(authorities.certificates)
            configuration.tlsConfiguration = tls
        }
        self.tls = tls
        readTimeout = purpose.readTimeout
        configuration.timeout = .init(
            connect: .seconds(options.connectSeconds), read: readTimeout, write: .seconds(60))
        configuration.proxy = options.proxy?.configuration
        responseTimeout = .seconds(options.responseSeconds)
        proxy = options.proxy
        // Otherwise, the client would retry until the timeout even if the server refuses connections.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.decompression = purpose.decompression
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = purpose.connectionsPerHost
        // AsyncHTTPClient has no other way to add a handler.
        if case .downloads = purpose { configuration.http1_1ConnectionDebugInitializer = UnreadInputHandler.add }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        (self.monitor, self.cache, self.policy) = (monitor, cache, policy)
        (self.renew, self.trace) = (renew, trace)
    }

    func shutdown() async { try? await client.shutdown() }

    // MARK: Requests

    /// Sends a request, unless the cache has the response, and reads the whole response.
    /// - Parameters:
    ///   - policy: How the cache is used; `nil` for the policy of the client, which always applies if it is
    ///     ``CachePolicy/cacheOnly``.
    ///   - onHead: Called when the head of the response has arrived, before its body is read.
    /// - Throws: ``FeedClientError``, also for a response with an error status.
    func send(
        _ request: HTTPClientRequest, timeout: TimeAmount? = nil, _ policy: CachePolicy? = nil,
        onHead: () -> Void = {}
    ) async throws -> Response {
        let timeout = timeout ?? responseTimeout
        guard let cache else { return try await load(request, timeout, onHead) }
        return try await cache.response(to: request, self.policy == .cacheOnly ? .cacheOnly : policy ?? self.policy) {
            try await load($0, timeout, onHead)
        }
    }

    private func load(
        _ request: HTTPClientRequest, _ timeout: TimeAmount, _ onHead: () -> Void
    ) async throws -> Response {
        var (request, attempt, isRenewed) = (request, 1, false)
        while true {
            do {
                let response = try await execute(request, timeout: timeout)
                onHead()
                let body = try await translated { try await response.body.collect(upTo: Self.maximumBody) }
                return Response(
                    headers: response.headers, body: body, isNotModified: response.status == .notModified)
            } catch let error as FeedClientError {
                if error.status == 401, !isRenewed, let renewed = try await renewed(request) {
                    (request, isRenewed) = (renewed, true)
                    continue
                }
                guard attempt < Self.maximumAttempts,
                    let delay = RetryRule.delay(after: error, attempt: attempt, method: request.method)
                else { throw error }
                try await Task.sleep(for: delay)
                attempt += 1
            }
        }
    }

    /// A refused request with another access token; `nil` if there is none, or if the body cannot be sent again.
    private func renewed(_ request: HTTPClientRequest) async throws -> HTTPClientRequest? {
        let scheme = "Bearer "
        let isForm = request.headers.first(name: "Content-Type") == "application/x-www-form-urlencoded"
        guard let renew, request.body == nil || isForm,
            let header = request.headers.first(name: "Authorization"), header.hasPrefix(scheme),
            let token = try await Self.token(from: renew, insteadOf: String(header.dropFirst(scheme.count)))
        else { return nil }
        var request = request
        request.headers.replaceOrAdd(name: "Authorization", value: scheme + token)
        return request
    }

    /// - Returns: `nil` if the server cannot be asked. Then the refusal remains the error, which says that the request was
    ///   not processed.
    private static func token(from renew: Renewal, insteadOf rejected: String) async throws -> String? {
        do {
            return try await renew(rejected)
        } catch let error as FeedClientError where error.isTemporary {
            return nil
        }
    }

    private func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        trace(request)
        let response = try await observed(request) { try await client.execute(request, timeout: timeout) }
        trace(response)
        guard response.status.code < 300 || response.status == .notModified else {
            throw await error(
                response, hadCredentials: request.headers.contains(name: "Authorization"),
                path: URLComponents(string: request.url)?.path ?? "")
        }
        return response
    }

    /// Tells the monitor whether a request has reached the server.
    private func observed(
        _ request: HTTPClientRequest, _ body: () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
        do {
            let response = try await translated(request.url, body)
            monitor.record(.online)
            return response
        } catch let error as FeedClientError {
            monitor.record(error)
            throw error
        }
    }

    /// Sends a request once, or again with another access token, and returns the response, regardless of its status, as
    /// soon as its headers have arrived.
    /// - Throws: ``FeedClientError``; `.unreachable` only before the first response of any server, because a server
    ///   that has responded may be reachable again soon.
    func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let response = try await executeOnce(request)
        guard response.status == .unauthorized, let renewed = try await renewed(request) else { return response }
        return try await executeOnce(renewed)
    }

    private func executeOnce(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        trace(request)
        do {
            let response = try await observed(request) {
                try await client.execute(request, deadline: .distantFuture)
            }
            hasResponse.store(true, ordering: .relaxed)
            trace(response)
            return response
        } catch let error as FeedClientError
            where error.code == .unreachable && hasResponse.load(ordering: .relaxed)
        {
            throw FeedClientError(.network, error.message, hint: error.hint, cause: error.cause)
        }
    }

    // MARK: Errors

    /// The error that a response with an error status represents.
    /// - Parameter path: The decoded path of the request; empty if it does not matter.
    func error(
        _ response: HTTPClientResponse, hadCredentials: Bool, path: String = ""
    ) async -> FeedClientError {
        let body = (try? await response.body.collect(upTo: Self.maximumErrorBody)) ?? ByteBuffer()
        return ErrorResponse(
            status: Int(response.status.code), headers: response.headers, body: body, hadCredentials: hadCredentials,
            path: path
        ).error
    }

    /// Translates the errors of AsyncHTTPClient that `body` throws.
    /// - Parameter url: The URL of the request that `body` sends, if it does.
    func translated<Value>(_ url: String? = nil, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            // The probe would connect without the proxy.
            if let url, proxy == nil, ConnectionFailure.isUntrusted(error),
                let problem = await CertificateProbe.problem(of: url)
            {
                throw TransportError.unreachable(problem.reason, url, hint: problem.hint, cause: error)
            }
            trace?("! \(error)")
            throw TransportError.translate(error, url)
        }
    }

    // MARK: Trace

    func trace(_ request: HTTPClientRequest) {
        trace?("> \(request.method) \(TraceText.url(request.url))" + TraceText.headers(request.headers))
    }

    private func trace(_ response: HTTPClientResponse) {
        trace?("< \(response.status.code)" + TraceText.headers(response.headers))
    }
}
