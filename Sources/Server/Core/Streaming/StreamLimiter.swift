/// Counts open streams per account and per client network, and decides whether another one may be opened. A pure state
/// machine, whose memory is bounded by the number of open streams.
package struct StreamLimiter: Sendable {
    /// The account or address whose limit a stream counts towards.
    package struct Owner: Sendable, Hashable {
        /// `nil` without an account.
        package let account: Int64?
        /// The ``ClientNetwork``.
        package let network: String

        package init(account: Int64?, address: String) {
            self.account = account
            network = ClientNetwork.key(for: address)
        }
    }

    private var accounts: [Int64: Int] = [:]
    private var networks: [String: Int] = [:]
    /// The number of open streams.
    package private(set) var count = 0

    package init() {}

    /// Counts a new stream.
    /// - Throws: ``FeedError`` `.rateLimited` if the account or the network has too many; the stream is not counted then.
    package mutating func open(_ owner: Owner, _ limits: StreamLimits) throws(FeedError) {
        if let account = owner.account, accounts[account, default: 0] >= limits.perAccount {
            throw Self.refusal("Too many streams of this account")
        }
        guard networks[owner.network, default: 0] < limits.perAddress else {
            throw Self.refusal("Too many streams from one address")
        }
        count += 1
        if let account = owner.account { accounts[account, default: 0] += 1 }
        networks[owner.network, default: 0] += 1
    }

    /// Counts the end of a stream.
    package mutating func close(_ owner: Owner) {
        count = max(0, count - 1)
        if let account = owner.account { Self.decrement(&accounts[account]) }
        Self.decrement(&networks[owner.network])
    }

    private static func decrement(_ count: inout Int?) { count = count.flatMap { $0 > 1 ? $0 - 1 : nil } }

    private static func refusal(_ message: String) -> FeedError {
        FeedError(.rateLimited, message, hint: "Close some of them, or try again later.", retryAfter: 30)
    }
}

/// Limits the replays that clients of WebSockets ask for, per account or, without one, per client network. A pure state
/// machine.
package struct ReplayLimiter: Sendable {
    private static let perOwner = 10

    private var rate = RateWindow(RateLimit(60, perSeconds: 60))
    private var running: [RateKey: Int] = [:]

    package init() {}

    /// Counts a replay until ``end(_:)``.
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.rateLimited` if the owner has too many; the replay is not counted then.
    package mutating func begin(_ owner: StreamLimiter.Owner, now: Int64) throws(FeedError) {
        guard running[owner.rateKey, default: 0] < Self.perOwner else {
            throw FeedError(
                .rateLimited, "Too many replays at a time", hint: "Wait until the events of others have arrived.",
                retryAfter: 1)
        }
        let state = rate.consume(owner.rateKey, now: now)
        guard !state.isRefused else {
            throw FeedError(
                .rateLimited, "Too many replays", hint: "Subscribe without since, or wait.",
                retryAfter: state.secondsLeft(now: now))
        }
        running[owner.rateKey, default: 0] += 1
    }

    package mutating func end(_ owner: StreamLimiter.Owner) {
        running[owner.rateKey] = running[owner.rateKey].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

extension StreamLimiter.Owner {
    package var rateKey: RateKey { account.map { .account($0) } ?? .address(network) }
}

/// The reason why the server ends a stream. The raw values are sent to clients and used as labels of a metric.
package enum StreamEnd: String, Sendable, CaseIterable {
    /// The server stops; the client should reconnect.
    case shutdown
    /// The client reads too slowly; it should reconnect and continue where it stopped.
    case slow
    /// The token was revoked, or the account may no longer log in.
    case unauthorized
    /// Events could not be read; the client should reconnect and continue where it stopped.
    case unavailable
}
