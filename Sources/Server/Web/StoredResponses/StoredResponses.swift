import CoreMetrics
import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// The responses that ``StoredResponseHandler`` sends again, for all connections of the server.
///
/// A request is answered here only if every decision of the ordinary path can be made at once and is in its favor. The
/// rules are those of the middleware: ``Authenticate``, ``Access``, ``RateLimits``, ``RequestObserver``. All other fields
/// are those of the stored response.
package final class StoredResponses: Sendable {
    /// The connection of a request.
    struct Connection {
        /// The IP address of the other end; `nil` for a Unix socket.
        let peer: String?
        let isEncrypted: Bool
    }

    /// A response to send, and what to record of it.
    struct Answer {
        let head: ByteBuffer
        let body: ByteBuffer?
        fileprivate let variant: StoredResponse.Variant
        fileprivate let path: String
        fileprivate let requestID: String
        fileprivate let address: String
        fileprivate let user: String?
    }

    /// What becomes of a request.
    enum Decision {
        case answer(Answer)
        /// The response that would answer it is out of date.
        case refresh(StoredResponse.Key)
        /// It takes the ordinary path.
        case pass
    }

    private let services: Services
    private let recorder: RequestRecorder
    private let responses: Mutex<RecentMap<StoredResponse.Key, StoredResponse>>
    private let requests: Mutex<RecentMap<ByteBuffer, PlainRequest>>
    private let refresh = Mutex(ResponseRefresh<StoredResponse.Key, @Sendable () -> Void>())
    private let date = DateField()
    private let count = Atomic(0)
    private let counter = Counter(label: MetricName.storedResponses.rawValue)

    package init(_ services: Services) {
        self.services = services
        recorder = RequestRecorder(services.monitoring)
        responses = Mutex(RecentMap(limit: services.limits.caches[.responses]))
        requests = Mutex(RecentMap(limit: services.limits.caches[.requests]))
    }

    /// The number of requests that stored responses have answered.
    package var answered: Int { count.load(ordering: .relaxed) }

    /// The revision of the settings, which must not change while a response that is to be stored is computed.
    var revision: Int { services.site.settings.revision }

    /// The request that consists of these bytes, if it has been kept.
    func request(_ bytes: ByteBuffer) -> PlainRequest? { requests.withLock { $0.value(for: bytes) } }

    /// Keeps a request, which has been answered, so that its bytes need not be decoded again. A request with an id never
    /// repeats.
    func keep(_ request: PlainRequest, _ bytes: ByteBuffer) {
        guard request.requestID == nil else { return }
        let bytes = ByteBuffer(bytes: bytes.readableBytesView)
        requests.withLock { $0.insert(request, for: bytes, cost: request.cost(bytes: bytes.readableBytes)) }
    }

    /// Decides what becomes of a request.
    func decide(_ request: PlainRequest, on connection: Connection) -> Decision {
        guard let client = client(of: request, connection), let caller = caller(of: request) else { return .pass }
        let viewer = caller.viewer
        let key = Self.key(of: request, client, connection, viewer: viewer?.account.id)
        guard let stored = find(key), (try? stored.access.check(caller)) != nil else { return .pass }
        guard let variant = stored.variant(for: request), let body = body(of: stored, variant) else {
            return stored.content.isRefreshable || !stored.content.isCurrent() ? .refresh(key) : .pass
        }
        // Counted last, since the ordinary path counts what is declined here. A request that exceeds the limit counts no
        // further, so that the ordinary path may refuse it.
        let rates = services.rates.map { RateLimits.take(stored.limits, from: $0, viewer, address: client.address) }
        guard rates?.refusal == nil, variant.head.hasRate == (rates?.tightest != nil) else { return .pass }
        let id = RequestID.of(client.isProxied ? request.requestID : nil)
        let values = StoredHead.Values(date: date.text, requestID: id, rate: rates?.tightest)
        return .answer(
            Answer(
                head: variant.head.bytes(values, allocator: ByteBufferAllocator()),
                body: request.isHead ? nil : body, variant: variant, path: stored.path, requestID: id,
                address: client.address, user: viewer?.account.username))
    }

    /// Waits for the request that refreshes a response.
    /// - Parameter resume: Called at the end of that request, on any thread.
    /// - Returns: `false` if no request refreshes it: the caller refreshes it, and must call ``refreshEnded(_:)`` afterwards.
    func waitForRefresh(of key: StoredResponse.Key, _ resume: @escaping @Sendable () -> Void) -> Bool {
        refresh.withLock { $0.join(key, resume) }
    }

    func refreshEnded(_ key: StoredResponse.Key) {
        for resume in refresh.withLock({ $0.end(key) }) { resume() }
    }

    /// The body of a response, empty for 304.
    /// - Returns: `nil` if the content is out of date, or if the body is another one than that of the stored head.
    private func body(of stored: StoredResponse, _ variant: StoredResponse.Variant) -> ByteBuffer? {
        guard variant.isWhole else { return stored.content.isCurrent() ? ByteBuffer() : nil }
        return stored.content.body().flatMap { $0.readableBytes == variant.head.contentLength ? $0 : nil }
    }

    /// Records a response that is about to be sent.
    func record(_ answer: Answer, to request: PlainRequest, since start: ContinuousClock.Instant) {
        count.add(1, ordering: .relaxed)
        counter.increment()
        let nanoseconds = (ContinuousClock.now - start).nanoseconds
        answer.variant.metrics?.record(nanoseconds: nanoseconds)
        recorder.log { time in
            AccessLogEntry(
                time: time, id: answer.requestID, method: request.isHead ? "HEAD" : "GET", path: answer.path,
                query: request.query, status: answer.variant.status, bytes: answer.body?.readableBytes ?? 0,
                microseconds: nanoseconds / 1000, address: answer.address, user: answer.user, agent: request.userAgent)
        }
    }

    /// Keeps a response of the ordinary path.
    /// - Parameter revision: The revision of the settings when the request arrived.
    func store(
        _ response: ReusableResponse, _ head: HTTPResponseHead, to request: PlainRequest, on connection: Connection,
        revision: Int
    ) {
        guard revision == self.revision, let client = client(of: request, connection), let storedHead = StoredHead(head)
        else { return }
        let (method, status) = (request.isHead ? HTTPRequest.Method.head : .get, Int(head.status.code))
        let variant = StoredResponse.Variant(
            head: storedHead, status: status,
            metrics: recorder.series(route: response.route, method: method, status: status))
        let limits = RateRule.kinds(method, route: response.route, path: response.path)
        let key = Self.key(of: request, client, connection, viewer: response.viewer)
        responses.withLock { responses in
            let stored = StoredResponse(
                response, limits: limits, revision: revision, variant: variant, present: responses.value(for: key))
            responses.insert(stored, for: key, cost: stored.cost + key.cost)
        }
    }

    private func find(_ key: StoredResponse.Key) -> StoredResponse? {
        guard let stored = responses.withLock({ $0.value(for: key) }), stored.revision == revision else { return nil }
        return stored
    }

    private static func key(
        of request: PlainRequest, _ client: RequestClient, _ connection: Connection, viewer: Int64?
    ) -> StoredResponse.Key {
        StoredResponse.Key(
            isHead: request.isHead, target: request.target, host: request.host, isSecure: client.isSecure,
            isEncrypted: connection.isEncrypted, coding: request.coding, viewer: viewer)
    }

    /// - Returns: `nil` for an untrusted proxy, about which ``ClientAddress`` warns.
    private func client(of request: PlainRequest, _ connection: Connection) -> RequestClient? {
        let reported = RequestClient.reported(by: services.site.proxies, peer: connection.peer) { name in
            request.head.headers[name.rawName]
        }
        if let reported { return reported }
        guard !request.isForwarded else { return nil }
        return RequestClient(peer: connection.peer, isEncrypted: connection.isEncrypted)
    }

    /// - Returns: `nil` if a token must be looked up in the database, or might have been revoked by another server.
    private func caller(of request: PlainRequest) -> Caller? {
        guard let hash = request.tokenHash else { return .anonymous }
        guard !services.stores.changes.isShared else { return nil }
        return services.login.tokens.cachedHolder(hash: hash).map(Caller.holder)
    }
}
