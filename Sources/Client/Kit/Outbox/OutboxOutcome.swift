import Foundation
import NIOCore

/// What an error says about a request. Pure.
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
        // 408 and 5xx may also come from a proxy, after the server has processed the request.
        case let status? where status == 408 || (status >= 500 && !Self.refusals.contains(status)): self = .unknown
        case .some: self = .refused(message: error.message)
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
        case .unknown where [.network, .unreachable, .tryLater].contains(error.code): self = .notProcessed
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
