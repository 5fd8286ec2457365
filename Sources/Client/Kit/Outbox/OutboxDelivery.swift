import Foundation
import NIOCore

/// Decides how a post of the outbox is delivered, so that it never appears twice. The caller performs the actions, and
/// reports their outcomes.
///
/// A post whose outcome is unknown is sent again only with the same idempotency key, within an hour of the first attempt,
/// and to a server that is known to honor the key. Otherwise, it is searched for among the statuses of the account; if it
/// is not there, it becomes unclear, because it may still have been posted, in a form that is not recognized.
struct OutboxDelivery: Equatable {
    enum Action: Equatable {
        /// Determine whether the server honors idempotency keys; see ``identified(honorsKeys:now:)``.
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
    /// Whether a second request has no further effect.
    private let isRepeatable: Bool
    /// The state before the request, which is restored if the request was not processed.
    private var previous: OutboxState
    /// Whether a request with new media is to be sent, even if there was an earlier one.
    private var isAnew = false

    init(_ state: OutboxState, _ trigger: OutboxTrigger, isRepeatable: Bool = false) {
        (self.state, self.trigger, self.isRepeatable, previous) = (state, trigger, isRepeatable, state)
    }

    /// The ids of the media files that have been uploaded for an earlier attempt; `nil` if they are to be uploaded.
    var mediaIDs: [String]? {
        if case .sending(_, let ids) = state, !isAnew { ids } else { nil }
    }

    /// The first action to perform.
    var firstAction: Action {
        switch state {
        case .new: .send
        case .sending: isRepeatable ? .send : .identifyServer
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
                previous.since.flatMap {
                    isRepeatable ? nil : .unclear(since: $0, mediaIDs: previous.uploadedMediaIDs)
                } ?? .refused(message: message)
        }
    }
}

/// Derives the outcome of a request from its error.
extension OutboxDelivery.Outcome {
    /// Statuses that say that the server has not done what was asked, although they are not 4xx.
    private static let refusals: Set<Int> = [501, 507]
    /// Statuses after which the same request may succeed: too many requests, and a token that is no longer valid.
    private static let temporary: Set<Int> = [401, 429]

    /// The outcome of a failed request to post a status.
    init(ofRequest error: any Error) {
        guard let error = error as? FeedClientError else {
            self = .unknown
            return
        }
        switch error.status {
        case let status? where Self.temporary.contains(status): self = .notProcessed
        case 507? where error.code == .tryLater: self = .notProcessed
        // 408 and 5xx may also come from a proxy, after the server has processed the request.
        case let status? where status == 408 || (status >= 500 && !Self.refusals.contains(status)): self = .unknown
        case .some: self = .refused(message: error.message)
        // What an action is about does not exist, so nothing was sent.
        case nil where [.usage, .notFound].contains(error.code): self = .refused(message: error.message)
        case nil: self = error.code == .unreachable && !Self.mayHaveConnected(error) ? .notProcessed : .unknown
        }
    }

    /// The outcome of a failed upload of the media of a status, which precedes the request.
    init(ofUpload error: any Error) {
        guard let error = error as? FeedClientError else {
            self = .notProcessed
            return
        }
        switch Self(ofRequest: error) {
        case .unknown where error.status != nil: self = .notProcessed
        case .unknown where error.isTemporary: self = .notProcessed
        // For example, a file no longer exists.
        case .unknown: self = .refused(message: error.message)
        case let outcome: self = outcome
        }
    }

    /// Whether a connection may have been established before the error. Only a refused one is known not to have been.
    private static func mayHaveConnected(_ error: FeedClientError) -> Bool {
        (error.cause as? IOError).map { $0.errnoCode != ECONNREFUSED } ?? false
    }
}

/// The progress of a post in the outbox. Times are milliseconds since 1970 by the clock of this machine.
public enum OutboxState: Codable, Sendable, Equatable {
    /// No request has been sent, or the server is known not to have processed it.
    case new
    /// A request may have been sent, and its outcome is unknown.
    /// - since: The time of the first attempt.
    /// - mediaIDs: The ids of the uploaded media files, which another attempt attaches again.
    case sending(since: Int64, mediaIDs: [String])
    /// Like `sending`, but the outcome cannot be determined, so the user has to decide.
    case unclear(since: Int64, mediaIDs: [String])
    /// The server has refused the post; the message is the server's. The post is about to become a draft.
    case refused(message: String)

    /// One word: `new`, `sending`, `unclear` or `refused`.
    public var name: String {
        switch self {
        case .new: "new"
        case .sending: "sending"
        case .unclear: "unclear"
        case .refused: "refused"
        }
    }

    var isRefused: Bool { if case .refused = self { true } else { false } }

    /// Whether there is anything left to do for the post without a decision by the user.
    public func isPending(_ trigger: OutboxTrigger) -> Bool {
        switch self {
        case .new, .sending: true
        case .unclear: trigger != .automatic
        case .refused: trigger == .resend
        }
    }

    /// The time of the first attempt whose outcome is unknown.
    var since: Int64? {
        switch self {
        case .sending(let since, _), .unclear(let since, _): since
        case .new, .refused: nil
        }
    }

    /// The ids of the uploaded media files of an attempt whose outcome is unknown.
    var uploadedMediaIDs: [String] {
        switch self {
        case .sending(_, let ids), .unclear(_, let ids): ids
        case .new, .refused: []
        }
    }
}

/// The reason for sending the posts of the outbox.
public enum OutboxTrigger: Sendable {
    /// Another command has contacted the server. Posts that wait for the user are left alone.
    case automatic
    /// The user has asked for everything to be sent. Unclear posts are searched for, but not sent again.
    case flush
    /// The user has asked for this post to be sent, even if it is unclear or was refused.
    case resend
}
