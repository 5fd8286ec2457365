import CoreMetrics
package import FeedCore
package import Logging
import NIOCore
import Synchronization

/// Counts the connections of all listening sockets, and decides which new ones are served.
package final class ConnectionLimiter: Sendable {
    private struct State {
        var counter: ConnectionCounter
        var lines = LogInterval()
    }

    let limits: ConnectionLimits
    private let settings: ReloadableSettings
    private let logger: Logger
    private let open = Meter(label: MetricName.connections.rawValue)
    private let state: Mutex<State>

    /// - Parameter settings: Connections of the trusted proxies count in total only, because each carries requests of
    ///   many clients.
    package init(limits: ConnectionLimits, settings: ReloadableSettings, logger: Logger) {
        self.limits = limits
        self.settings = settings
        self.logger = logger
        state = Mutex(State(counter: ConnectionCounter(limits: limits)))
    }

    /// The number of connections that are served.
    package var count: Int { state.withLock { $0.counter.count } }

    /// Counts a new connection until it closes.
    func admit(_ channel: any Channel) -> ConnectionCounter.Decision {
        open.increment()
        let address = channel.remoteAddress?.ipAddress
        let network = network(of: address)
        let decision = state.withLock { $0.counter.open(network) }
        channel.closeFuture.whenComplete { [self] _ in
            open.decrement()
            state.withLock { $0.counter.close(network, decision) }
        }
        report(decision, address)
        return decision
    }

    /// - Parameter address: `nil` for a Unix socket, which only proxies use.
    private func network(of address: String?) -> String? {
        guard let address else { return nil }
        let proxies = settings.proxies
        if !proxies.isEmpty, let peer = IPAddress(address), proxies.isTrusted(peer) { return nil }
        return ClientNetwork.key(for: address)
    }

    private func report(_ decision: ConnectionCounter.Decision, _ address: String?) {
        let reason: ConnectionCounter.Reason
        switch decision {
        case .serve: return
        case .refuse(let exceeded), .close(let exceeded): reason = exceeded
        }
        let now = NIODeadline.now().milliseconds
        let (due, served) = state.withLock { ($0.lines.take(now: now), $0.counter.count) }
        guard let due else { return }
        logger.warning(
            "refusing connections: \(reason.rawValue)",
            metadata: ["from": "\(address ?? "unix")", "refused": "\(due)", "served": "\(served)"])
    }
}
