import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends requests: with time limits, bounded answers, retries where they are safe, and errors people can use.
final class Transport: Sendable {
    /// Bytes of an answer that is read as a whole.
    static let maximumAnswer = 16 << 20
    private static let tries = 3

    let client: HTTPClient
    private let trace: (@Sendable (String) -> Void)?
    /// Whether a server was there before: then it may come back.
    private let hasAnswered = Atomic(false)

    /// - Parameters:
    ///   - forDownloads: Stalls and broken connections are the caller's to notice and to mend.
    ///   - trace: Is told each request and answer, secrets left out.
    init(forDownloads: Bool = false, trace: (@Sendable (String) -> Void)? = nil) {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(
            connect: .seconds(10), read: forDownloads ? nil : .seconds(60), write: .seconds(60))
        // It would try until the connect timeout has passed, also where nobody listens.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = forDownloads ? 64 : 16
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.trace = trace
    }

    func shutdown() async { try? await client.shutdown() }

    /// A request whose answer is read as a whole.
    /// - Throws: ``FeedClientError``.
    func send(_ request: HTTPClientRequest, timeout: TimeAmount = .seconds(60)) async throws -> Answer {
        var attempt = 1
        while true {
            do {
                let response = try await start(request, timeout: timeout)
                return Answer(head: response, body: try await collect(response.body))
            } catch let error as FeedClientError {
                guard attempt < Self.tries,
                    let delay = Retry.delay(after: error, attempt: attempt, method: request.method)
                else {
                    throw error
                }
                try await Task.sleep(for: delay)
                attempt += 1
            }
        }
    }

    /// A request whose answer the caller reads. Refusals are thrown, with the server's own words.
    func start(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        trace?("> \(request.method) \(request.url)" + Self.headers(request.headers))
        let response = try await translated { try await client.execute(request, timeout: timeout) }
        trace?("< \(response.status.code)" + Self.headers(response.headers))
        guard response.status.code < 300 || response.status == .notModified else {
            throw try await refusal(response, hadCredentials: request.headers.contains(name: "Authorization"))
        }
        return response
    }

    private func collect(_ body: HTTPClientResponse.Body) async throws -> ByteBuffer {
        try await translated { try await body.collect(upTo: Self.maximumAnswer) }
    }

    /// A request whose answer the caller reads and judges, whatever its status; without a limit for the whole.
    /// - Throws: ``FeedClientError`` `.unreachable` only where no server has answered yet: who was there may come back.
    func startAny(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        trace?("> \(request.method) \(request.url)" + Self.headers(request.headers))
        do {
            let response = try await translated { try await client.execute(request, deadline: .distantFuture) }
            hasAnswered.store(true, ordering: .relaxed)
            trace?("< \(response.status.code)" + Self.headers(response.headers))
            return response
        } catch let error as FeedClientError
            where error.code == .unreachable && hasAnswered.load(ordering: .relaxed)
        {
            throw FeedClientError(.network, error.message, hint: error.hint, cause: error.cause)
        }
    }

    /// What a refusal means, with the server's own words.
    func refusal(_ response: HTTPClientResponse, hadCredentials: Bool) async throws -> FeedClientError {
        let body = (try? await response.body.collect(upTo: 64 * 1024)) ?? ByteBuffer()
        return Refusal(
            status: Int(response.status.code), headers: response.headers, body: body, hadCredentials: hadCredentials
        ).error
    }

    /// Errors of the library in our words.
    func translated<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw Self.translate(error)
        }
    }

    /// - Returns: A ``FeedClientError``, or `CancellationError`.
    static func translate(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is FeedClientError: error
        case is NIOTooManyBytesError:
            FeedClientError(.failed, "The server's answer is larger than \(maximumAnswer) bytes")
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        default: failure(error)
        }
    }

    private static func failure(_ error: any Error) -> FeedClientError {
        let reason = ConnectFailure.words(for: error)
        return FeedClientError(
            reason == nil ? .network : .unreachable, "The server cannot be reached: " + (reason ?? words(for: error)),
            hint: "Check the address and whether the server runs.", cause: error)
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
            "it does not answer in time"
        default: "\(error)"
        }
    }

    private static func headers(_ headers: HTTPHeaders) -> String {
        let secret: Set<String> = ["authorization", "cookie", "set-cookie", "proxy-authorization"]
        return headers.map { "\n    \($0.name): " + (secret.contains($0.name.lowercased()) ? "(hidden)" : $0.value) }
            .joined()
    }
}

/// An answer with its body.
struct Answer: Sendable {
    let head: HTTPClientResponse
    let body: ByteBuffer

    var bytes: [UInt8] { Array(body.readableBytesView) }

    /// - Throws: ``FeedClientError`` `.failed` when it is no such JSON.
    func decode<Value: Decodable>(_ type: Value.Type) throws(FeedClientError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw FeedClientError(
                .failed, "The server's answer makes no sense", hint: "Is this the address of a feed server?",
                cause: error)
        }
    }
}
