import FeedAPI
import FeedCore
import FeedStore
import Foundation
import HTTPTypes
import NIOCore

/// Answers all requests: the rules in order, then the endpoint, then what every response gets. It is synchronous, on the
/// event loop of the connection, until something has to wait.
package final class RequestHandler: Sendable {
    /// The decision for a request.
    package enum Step: Sendable {
        case respond(Response)
        /// The response needs a task.
        case perform(@Sendable () async -> Response)
    }

    /// The fields with values of its own that a response gets at most.
    private static let ownFields = 5

    private let router: Router
    /// Answers every request, without the rules; `nil` for ``router``.
    private let everything: Endpoint.Action?
    private let clients: ClientAddress
    private let authenticator: Authenticator
    private let rates: RateLimitRule
    private let concurrency: ConcurrencyRule
    private let problems: ErrorResponses
    private let loggedOut: LoggedOutPage
    private let currentHeaders = CurrentHeaders()
    /// `nil` without an access log.
    private let accessLog: AccessLog?
    /// `nil` if `/metrics` is not available.
    private let metrics: RequestMetrics?

    package convenience init(_ services: Services) { self.init(services, services.endpoints()) }

    init(_ services: Services, _ endpoints: [Endpoint], everything: Endpoint.Action? = nil) {
        router = Router(endpoints)
        self.everything = everything
        clients = ClientAddress(settings: services.site.settings)
        rates = RateLimitRule(limiter: services.rates)
        authenticator = Authenticator(
            tokens: services.login.tokens, changes: services.stores.changes, baseURL: services.site.baseURL,
            rates: rates)
        concurrency = ConcurrencyRule(reads: services.reads)
        let pages = ErrorPage(assets: services.site.assets)
        problems = ErrorResponses(pages: pages)
        loggedOut = LoggedOutPage(errors: pages, settings: services.site.settings)
        (accessLog, metrics) = (services.monitoring.accessLog, services.monitoring.metrics?.requests)
    }

    /// Begins to answer a request.
    package func begin(_ request: Request, on connection: ClientConnection) -> Step {
        let start = NIODeadline.now()
        var (request, context) = received(request, on: connection)
        let exchange = Exchange(received: request, start: start)
        do {
            if let everything { return try answer(everything, request, exchange, context) }
            if let response = CORSRule.preflight(request) { return finish(response, exchange, context) }
            try countingRefusal(of: context) { try PathRule.check(request) }
            if let response = try PathRule.normalize(&request) { return finish(response, exchange, context) }
            let match = router.match(request.method, request.uri.path)
            (context.endpoint, context.parameters) = (match?.endpoint, match?.parameters ?? PathParameters())
            context.token = try countingRefusal(of: context) {
                try authenticator.token(of: request, for: match?.endpoint)
            }
            guard let caller = authenticator.known(context.token) else {
                return .perform { [request, context] in await self.identify(request, exchange, context) }
            }
            context.caller = caller
            return admit(request, exchange, context)
        } catch {
            return finish(problems.response(to: error, request, context), exchange, context)
        }
    }

    /// Completes and records the response to a request whose head violates the rules of HTTP, so that no rule can rely
    /// on it.
    func refuse(_ request: Request, with response: Response, on connection: ClientConnection) -> Response {
        let start = NIODeadline.now()
        let (request, context) = received(request, on: connection)
        return finished(response, Exchange(received: request, start: start), context)
    }

    /// The request as its client has sent it, and its context, before the rules apply.
    private func received(_ request: Request, on connection: ClientConnection) -> (Request, RequestContext) {
        let client = clients.client(of: request, on: connection)
        var (request, context) = (request, RequestContext(connection, client))
        request.isSecure = client.isSecure
        // Only a proxy's id is accepted: a client could otherwise give many requests the same one.
        context.requestID = RequestID.make(proposed: client.isProxied ? request.headers[.requestID] : nil)
        return (request, context)
    }

    /// The request before any rule changed it, and the time of its arrival.
    private struct Exchange: Sendable {
        let received: Request
        let start: NIODeadline
        /// The limits that the request has been counted against.
        var kinds: [RateLimiter.Kind]?
        var rate: RateState?
    }

    /// Applies a rule that comes before the limits of the endpoint, so that what it refuses counts as well.
    private func countingRefusal<Value>(of context: RequestContext, _ rule: () throws -> Value) throws -> Value {
        do { return try rule() } catch {
            try rates.consumeRefusal(context)
            throw error
        }
    }

    /// Looks up the token of a request, and continues.
    private func identify(_ request: Request, _ exchange: Exchange, _ context: RequestContext) async -> Response {
        var context = context
        do {
            context.caller = try await authenticator.lookUp(context)
        } catch {
            return finished(problems.response(to: error, request, context), exchange, context)
        }
        switch admit(request, exchange, context) {
        case .respond(let response): return response
        case .perform(let work): return await work()
        }
    }

    /// Applies the rules that depend on the caller, and answers from memory if possible.
    private func admit(_ request: Request, _ exchange: Exchange, _ context: RequestContext) -> Step {
        var exchange = exchange
        let kinds = context.endpoint?.limits ?? RateRule.kinds(request.method, route: nil, path: request.uri.path)
        do {
            exchange.rate = try rates.consume(kinds, context)
            exchange.kinds = kinds
            guard let endpoint = context.endpoint else { throw router.refusal(of: request) }
            if let login = LoginRedirect.response(to: request, context.caller, endpoint.access) {
                return finish(login, exchange, context)
            }
            if LoggedOutPage.applies(to: request, context.caller, endpoint) {
                return .perform { [exchange] in
                    await self.perform({ try await self.loggedOut.response(to: $0, $1) }, request, exchange, context)
                }
            }
            try endpoint.access.check(context.caller)
            return try answer(endpoint.action, request, exchange, context)
        } catch {
            return finish(problems.response(to: error, request, context), exchange, context)
        }
    }

    /// Answers from memory if possible.
    private func answer(
        _ action: Endpoint.Action, _ request: Request, _ exchange: Exchange, _ context: RequestContext
    ) throws -> Step {
        let handler: Endpoint.Handler
        switch action {
        case .task(let task): handler = task
        case .memory(let answer, let otherwise):
            if let response = try answer(request, context) { return finish(response, exchange, context) }
            handler = otherwise
        case .page(let page):
            if let response = try page.known(to: request, context) { return finish(response, exchange, context) }
            handler = { try await page.response(to: $0, $1) }
        }
        return .perform { await self.perform(handler, request, exchange, context) }
    }

    private func perform(
        _ handler: Endpoint.Handler, _ request: Request, _ exchange: Exchange, _ context: RequestContext
    ) async -> Response {
        do {
            let response = try await concurrency.perform(handler, request, context)
            return finished(response, exchange, context)
        } catch {
            return finished(problems.response(to: error, request, context), exchange, context)
        }
    }

    private func finish(_ response: Response, _ exchange: Exchange, _ context: RequestContext) -> Step {
        .respond(finished(response, exchange, context))
    }

    /// Adds what every response gets, and records it.
    private func finished(_ response: Response, _ exchange: Exchange, _ context: RequestContext) -> Response {
        let request = exchange.received
        var response = counted(response, exchange, context)
        addFields(to: &response, exchange, context)
        // A client would interpret the body of a response to HEAD as the start of the next response (RFC 9110 §9.3.2).
        if request.method == .head || response.isBodiless, !response.body.replacesHTTP {
            response.body = ResponseBody()
        }
        record(response, exchange, context)
        return response
    }

    private func addFields(to response: inout Response, _ exchange: Exchange, _ context: RequestContext) {
        response.headers.reserveCapacity(response.headers.count + Self.ownFields)
        if let rate = exchange.rate { RateLimitRule.add(rate, to: &response.headers) }
        if let length = response.contentLengthField { response.headers.append(length) }
        response.headers.append(HTTPField(name: .requestID, value: context.requestID))
        var kind: CommonHeaders.Kind = context.isEncrypted ? .encrypted : []
        if context.endpoint?.isShared ?? CORSRule.isShared(exchange.received.uri.path) { kind.insert(.shared) }
        if response.headers.contains(.referrerPolicy) { kind.insert(.referrerPolicy) }
        response.common = currentHeaders.fields(kind, now: time(nil))
    }

    /// Counts a refusal by the endpoint.
    private func counted(_ response: Response, _ exchange: Exchange, _ context: RequestContext) -> Response {
        guard let kinds = exchange.kinds, RateRule.countsRefusal(kinds, status: response.status.code) else {
            return response
        }
        do {
            try rates.consumeRefusal(context)
            return response
        } catch {
            return problems.response(to: error, exchange.received, context)
        }
    }

    private func record(_ response: Response, _ exchange: Exchange, _ context: RequestContext) {
        let request = exchange.received
        let (elapsed, status) = ((NIODeadline.now() - exchange.start).nanoseconds, response.status.code)
        metrics?.series(route: context.endpoint?.path.pattern, method: request.method, status: status)
            .record(nanoseconds: elapsed)
        guard let accessLog else { return }
        accessLog.record(
            AccessLogEntry(
                time: accessLog.clock.now(), id: context.requestID, method: request.method.rawValue,
                path: request.uri.path, query: request.uri.query, status: status, bytes: response.body.contentLength,
                microseconds: elapsed / 1000, address: context.address,
                user: context.caller.viewer?.account.username, agent: request.headers[.userAgent]))
    }
}

/// Limits the database reads of a client that run at the same time. Writes, which share transactions, files and answers
/// from memory are not counted. Requests that wait for changes count only while they read.
private struct ConcurrencyRule: Sendable {
    let reads: ConcurrencyLimiter

    /// Calls the handler of an endpoint, if necessary when it is the turn of the client.
    func perform(
        _ handler: Endpoint.Handler, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        guard Self.applies(to: request, context.endpoint) else { return try await handler(request, context) }
        return try await reads.run(context.client) { try await handler(request, context) }
    }

    private static func applies(to request: Request, _ endpoint: Endpoint?) -> Bool {
        request.isRead && endpoint?.path.pattern != Paths.changes && !RateRule.isUncounted(request.uri.path)
    }
}
