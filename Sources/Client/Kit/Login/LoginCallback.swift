import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Waits on this machine for the browser that returns from a login (RFC 8252 §7.3).
///
/// Only a request with the `state` of the login counts, and only the first one; whatever else arrives on the port, from
/// another page or another program, neither ends nor disturbs the login.
public final class LoginCallback: Sendable {
    private static let host = "127.0.0.1"
    private static let path = "/callback"

    private let expected: ExpectedLogin
    private let channel: any Channel

    /// The redirect URI of the login.
    public let uri: String

    private init(_ channel: any Channel, _ login: ExpectedLogin) {
        self.channel = channel
        expected = login
        uri = "http://\(Self.host):\(channel.localAddress?.port ?? 0)\(Self.path)"
    }

    deinit { channel.close(promise: nil) }

    /// Listens on a free port of 127.0.0.1.
    /// - Throws: ``FeedClientError`` if that is not possible.
    public static func listen() async throws -> LoginCallback {
        let login = ExpectedLogin(path: path)
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(LoginCallbackHandler(login))
                    }
                }
                .bind(host: host, port: 0).get()
            return LoginCallback(channel, login)
        } catch let error as IOError {
            throw FeedClientError(
                .failed, "Cannot listen on \(host)", hint: "Enter a code instead: feedclient login --no-browser.",
                cause: error)
        }
    }

    /// Waits for the browser, and then stops listening.
    /// - Returns: The code to exchange for a token.
    /// - Throws: ``FeedClientError`` `.unauthorized` if the login was declined, or nobody has logged in in time;
    ///   `CancellationError`.
    public func code(for login: BrowserLogin, within limit: Duration = .seconds(300)) async throws -> String {
        let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(limit / .nanoseconds(1)))) { [expected] in
            expected.giveUp()
        }
        defer {
            timer.cancel()
            channel.close(promise: nil)
        }
        switch await expected.outcome(state: login.state) {
        case .code(let code): return code
        case .refused(let reason):
            throw FeedClientError(.unauthorized, "The login was declined: \(reason)", hint: "Log in again.")
        case nil:
            try Task.checkCancellation()
            throw FeedClientError(
                .unauthorized, "Nobody has logged in within \(limit.components.seconds) seconds",
                hint: "Log in again, or enter a code: feedclient login --no-browser.")
        }
    }
}

/// The login for which a ``LoginCallback`` waits.
private final class ExpectedLogin: Sendable {
    private let path: String
    /// The state of the login; `nil` before it begins and after it has ended.
    private let state = Mutex<String?>(nil)
    private let (outcomes, report) = AsyncStream.makeStream(
        of: LoginCallbackRequest.Outcome.self, bufferingPolicy: .bufferingOldest(1))

    init(path: String) { self.path = path }

    /// - Returns: `nil` if the waiting has ended without a login.
    func outcome(state: String) async -> LoginCallbackRequest.Outcome? {
        self.state.withLock { $0 = state }
        for await outcome in outcomes { return outcome }
        return nil
    }

    func giveUp() { report.finish() }

    /// Decides about a request. After the end of the login, no other request counts.
    func verdict(on request: LoginCallbackRequest) -> LoginCallbackRequest.Verdict {
        state.withLock { state in
            let verdict = request.verdict(path: path, state: state)
            if case .ended(let outcome) = verdict {
                state = nil
                report.yield(outcome)
            }
            return verdict
        }
    }
}

/// A request on the port of a ``LoginCallback``.
struct LoginCallbackRequest {
    /// The end of a login.
    enum Outcome: Sendable, Equatable {
        case code(String)
        /// The reason that the server gives.
        case refused(String)
    }

    enum Verdict: Sendable, Equatable {
        case ended(Outcome)
        /// The request has nothing to do with the login.
        case notFound
    }

    let method: HTTPMethod
    let uri: String

    /// - Parameter state: The state of the login that is expected; `nil` for none.
    func verdict(path: String, state: String?) -> Verdict {
        guard method == .GET, let state, let parts = URLComponents(string: uri), parts.path == path else {
            return .notFound
        }
        let items = parts.queryItems ?? []
        func value(_ name: String) -> String? {
            let values = items.filter { $0.name == name }.compactMap(\.value)
            return values.count == 1 ? values[0] : nil
        }
        guard let sent = value("state"), sent.utf8.elementsEqual(state.utf8) else { return .notFound }
        if let code = value("code"), !code.isEmpty { return .ended(.code(code)) }
        return value("error").map { .ended(.refused(value("error_description") ?? $0)) } ?? .notFound
    }
}

/// Responds to one request of a connection, and closes it.
private final class LoginCallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let login: ExpectedLogin
    private var request: LoginCallbackRequest?

    init(_ login: ExpectedLogin) { self.login = login }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = LoginCallbackRequest(method: head.method, uri: head.uri)
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            respond(to: login.verdict(on: request), context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func respond(to verdict: LoginCallbackRequest.Verdict, _ context: ChannelHandlerContext) {
        let body = ByteBuffer(
            string: "<!DOCTYPE html><meta charset=utf-8><title>feedclient</title><p>" + Self.text(verdict))
        let headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8", "Content-Length": String(body.readableBytes),
            "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Connection": "close",
            "Content-Security-Policy": "default-src 'none'",
        ]
        let status: HTTPResponseStatus = verdict == .notFound ? .notFound : .ok
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func text(_ verdict: LoginCallbackRequest.Verdict) -> String {
        switch verdict {
        case .ended(.code): "feedclient continues in the terminal. You can close this page."
        case .ended(.refused): "feedclient has not been allowed to log in. You can close this page."
        case .notFound: "This address is for a login with feedclient."
        }
    }
}
