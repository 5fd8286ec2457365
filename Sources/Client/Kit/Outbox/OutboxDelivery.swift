/// Decides how a post of the outbox is delivered, so that it never appears twice. Pure: the caller performs the actions,
/// and reports their outcomes.
///
/// A post whose outcome is unknown is sent again only with the same idempotency key, within an hour of the first attempt,
/// and to a server that is known to honor the key. Otherwise, it is searched for among the statuses of the account; if it
/// is not there, it becomes unclear, because it may still have been posted, in a form that is not recognized.
struct OutboxDelivery: Equatable {
    enum Action: Equatable {
        /// Find out whether the server honors idempotency keys; see ``identified(honorsKeys:now:)``.
        case identifyServer
        /// Search for the status among those that the account has posted since; see ``searched(found:)``.
        case search(since: Int64)
        /// Upload the media unless ``mediaIDs`` has them, call ``begin(mediaIDs:now:)``, store the state durably, and send
        /// the request; see ``end(_:)``.
        case send
        /// Remove the entry if ``isDelivered``; otherwise, store the state, if it has changed.
        case finish
    }

    enum Outcome: Equatable {
        case delivered
        /// The server is known not to have processed the request, and it may be sent again later.
        case notProcessed
        case refused(message: String)
        case unknown
    }

    /// The shortest time in milliseconds for which servers remember a key.
    static let keyLifetime: Int64 = 3_600_000
    /// The time in milliseconds that a request may take to arrive.
    private static let margin: Int64 = 120_000

    private(set) var state: OutboxState
    /// Whether the server has the status, so that the entry is to be removed.
    private(set) var isDelivered = false
    private let trigger: OutboxTrigger
    /// The state before the request, which is restored if the request was not processed.
    private var previous: OutboxState
    /// Whether a request with new media is to be sent, even if there was an earlier one.
    private var isAnew = false

    init(_ state: OutboxState, _ trigger: OutboxTrigger) {
        (self.state, self.trigger, previous) = (state, trigger, state)
    }

    /// The ids of the media files that have been uploaded for an earlier attempt; `nil` if they are to be uploaded.
    var mediaIDs: [String]? {
        if case .sending(_, let ids) = state, !isAnew { ids } else { nil }
    }

    /// What to do first.
    var firstAction: Action {
        switch state {
        case .new: .send
        case .sending: .identifyServer
        case .unclear(let since, _): trigger == .automatic ? .finish : .search(since: since)
        case .refused: trigger == .resend ? .send : .finish
        }
    }

    /// - Parameter now: Milliseconds since 1970.
    mutating func identified(honorsKeys: Bool, now: Int64) -> Action {
        guard case .sending(let since, _) = state else { return firstAction }
        // A clock that has been set back proves nothing.
        let isValid = (0..<Self.keyLifetime - Self.margin).contains(now.subtractingSaturating(since))
        return honorsKeys && isValid ? .send : .search(since: since)
    }

    mutating func searched(found: Bool) -> Action {
        guard let since = state.since else { return firstAction }
        isDelivered = found
        if found { return .finish }
        if trigger == .resend {
            isAnew = true
            return .send
        }
        state = .unclear(since: since, mediaIDs: state.uploadedMediaIDs)
        return .finish
    }

    /// A request is about to be sent: ``state`` must be durable before.
    /// - Parameter now: Milliseconds since 1970.
    mutating func begin(mediaIDs: [String], now: Int64) {
        state = .sending(since: state.since ?? now, mediaIDs: mediaIDs)
        isAnew = false
    }

    /// The request, or the upload of its media, has ended.
    mutating func end(_ outcome: Outcome) {
        switch outcome {
        case .delivered: isDelivered = true
        case .unknown: break
        case .notProcessed: state = previous
        // An earlier request may have been processed.
        case .refused(let message):
            state =
                previous.since.map { .unclear(since: $0, mediaIDs: previous.uploadedMediaIDs) }
                ?? .refused(message: message)
        }
    }
}
