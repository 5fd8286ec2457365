/// The limits of connections and of the requests on them.
package struct ConnectionLimits: Sendable, Equatable {
    /// Open connections of all clients. The server derives it from the limit on open files.
    package var total = 448
    /// The connections that each client network may always open while there are free ones.
    package var addressMinimum = 16
    /// A client network may open more than ``addressMinimum`` connections, up to the number of free ones divided by
    /// this. The fewer are free, the less each network gets, so several greedy networks together leave some, too.
    package var addressDivisor = 4
    /// The maximum number of refused connections to which a response is being sent, as a fraction of ``total``. Others
    /// are closed without a response.
    package var refusalDivisor = 8
    /// The maximum time in milliseconds for which a refused connection is kept to send the response.
    package var refusalTime: Int64 = 2000
    /// Requests on one connection.
    package var requests = 10_000
    /// The maximum size of a request head and of each of its fields in bytes, and the maximum number of fields.
    package var headBytes = 32 * 1024
    package var fieldBytes = 16 * 1024
    package var fields = 200
    /// From the start of the connection to the end of the TLS handshake, in milliseconds.
    package var handshake: Int64 = 10_000
    /// From the start of the connection to the end of the first request's headers, in milliseconds.
    package var firstHead: Int64 = 20_000
    /// From the end of a response to the end of the next request's headers, in milliseconds.
    package var nextHead: Int64 = 75_000
    /// The interval in milliseconds over which the rate of a request body is measured, and the bytes that must arrive
    /// in it.
    package var bodyWindow: Int64 = 30_000
    package var bodyBytes = 4096
    /// The interval in milliseconds over which the rate of a reader is measured while a response waits for it, and the
    /// bytes that it must take in it.
    package var readWindow: Int64 = 60_000
    package var readBytes = 4096
    /// The maximum time in milliseconds for which, and the number of bytes up to which, the rest of a request body is
    /// drained after the response.
    package var drain: Int64 = 5000
    package var drainBytes = 16 << 20

    package init() {}

    /// The limits, in milliseconds, at which a client that does not run for a while loses its connection.
    package static let timeouts: [any WritableKeyPath<ConnectionLimits, Int64> & Sendable] = [
        \.handshake, \.firstHead, \.nextHead, \.bodyWindow, \.readWindow, \.drain,
    ]

    /// Extends the ``timeouts`` that are shorter than this, in milliseconds.
    package mutating func extend(to minimum: Int64) {
        for limit in Self.timeouts { self[keyPath: limit] = max(self[keyPath: limit], minimum) }
    }

    /// The maximum number of refused connections to which a response is being sent.
    var refusals: Int { max(8, total / max(1, refusalDivisor)) }

    /// The maximum number of connections of one client network while `free` of all are free.
    func perAddress(free: Int) -> Int { max(addressMinimum, free / max(1, addressDivisor)) }
}

/// Counts open connections, in total and per client network, and decides whether to serve another one. A pure state
/// machine, whose memory is bounded by the number of open connections.
package struct ConnectionCounter: Sendable {
    /// The decision for a new connection.
    package enum Decision: Sendable, Equatable {
        case serve
        /// Send a response that says why, then close.
        case refuse(Reason)
        /// Close at once: too many connections are being refused already.
        case close(Reason)
    }

    /// The exceeded limit.
    package enum Reason: String, Sendable {
        case total = "all connections are in use"
        case address = "too many connections from one address"
    }

    private let limits: ConnectionLimits
    private var served = 0
    private var refusing = 0
    private var perNetwork: [String: Int] = [:]

    package init(limits: ConnectionLimits) { self.limits = limits }

    /// The number of connections that are served.
    package var count: Int { served }

    /// The number of client networks with connections.
    package var networks: Int { perNetwork.count }

    /// Counts a new connection.
    /// - Parameter network: The ``ClientNetwork``; `nil` for a trusted proxy, which counts in total only.
    package mutating func open(_ network: String?) -> Decision {
        guard let reason = excess(network) else {
            served += 1
            if let network { perNetwork[network, default: 0] += 1 }
            return .serve
        }
        guard refusing < limits.refusals else { return .close(reason) }
        refusing += 1
        return .refuse(reason)
    }

    /// Counts the end of a connection for which ``open(_:)`` returned `decision`.
    package mutating func close(_ network: String?, _ decision: Decision) {
        switch decision {
        case .serve:
            served -= 1
            guard let network, let count = perNetwork[network] else { return }
            perNetwork[network] = count > 1 ? count - 1 : nil
        case .refuse: refusing -= 1
        case .close: break
        }
    }

    private func excess(_ network: String?) -> Reason? {
        let free = limits.total - served
        guard free > 0 else { return .total }
        guard let network, perNetwork[network, default: 0] >= limits.perAddress(free: free) else { return nil }
        return .address
    }
}
