/// A failed login, for the log.
package struct LoginFailure: Sendable, Equatable {
    /// Why a login failed. The client learns less, so that it cannot find out which names exist.
    package enum Reason: String, Error, Sendable, CaseIterable {
        case unknownName = "unknown name"
        case wrongPassword = "wrong password"
        case suspended
        case pending = "awaits approval"
        case tooLong = "name or password too long"
        case throttled = "too many failures"
        case unavailable
    }

    /// The name as the client sent it.
    package let name: String
    /// The client's IP address.
    package let address: String
    package let reason: Reason
}

extension LoginFailure.Reason {
    init(_ error: FeedError) {
        self =
            switch error.kind {
            case .rateLimited: .throttled
            case .forbidden: .pending
            case .unauthorized: error.cause as? Self ?? .wrongPassword
            default: .unavailable
            }
    }
}
