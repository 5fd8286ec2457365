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
