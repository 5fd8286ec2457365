import Synchronization

/// Counts and limits the connections to each host, across all downloads of a client.
final class HostConnections: Sendable {
    private struct Host {
        var limit = DownloadConcurrency()
        /// The number of open connections, and of those that have received a response.
        var open = 0
        var active = 0
        var bytes: Int64 = 0
    }

    private let hosts = Mutex<[String: Host]>([:])

    /// The number of connections that are currently allowed to a host.
    func limit(_ host: String) -> Int { hosts.withLock { $0[host]?.limit.value ?? 1 } }

    /// Counts a connection regardless of the limit.
    func reserve(_ host: String) { hosts.withLock { $0[host, default: Host()].open += 1 } }

    /// Counts a connection if the limit permits it.
    func reserveIfBelowLimit(_ host: String) -> Bool {
        hosts.withLock { hosts in
            let state = hosts[host] ?? Host()
            guard state.open < state.limit.value else { return false }
            hosts[host, default: state].open += 1
            return true
        }
    }

    func release(_ host: String, hadResponse: Bool) {
        hosts.withLock { hosts in
            hosts[host]?.open -= 1
            if hadResponse { hosts[host]?.active -= 1 }
        }
    }

    func received(_ bytes: Int, from host: String) { hosts.withLock { $0[host]?.bytes += Int64(bytes) } }

    /// Measures the rate of a host. Should be called a few times a second.
    func measure(_ host: String, now: Double) {
        hosts.withLock { hosts in
            guard let state = hosts[host] else { return }
            hosts[host]?.limit.observe(now: now, bytes: state.bytes, active: state.active)
        }
    }

    func handle(_ event: HostEvent, now: Double) {
        switch event {
        case .responded(let host, let former, let seconds): responded(host, former, seconds)
        case .closed(let host, let hadResponse): release(host, hadResponse: hadResponse)
        case .throttled(let host): hosts.withLock { $0[host]?.limit.throttle(now: now) }
        }
    }

    private func responded(_ host: String, _ former: String, _ seconds: Double) {
        if host != former {
            release(former, hadResponse: false)
            reserve(host)
        }
        hosts.withLock { hosts in
            hosts[host]?.active += 1
            hosts[host, default: Host()].limit.responded(after: seconds)
        }
    }
}

/// An event on a connection that affects the limit of its host.
enum HostEvent: Sendable, Equatable {
    /// The first response on a connection. After a redirect, `host` differs from the requested host.
    case responded(host: String, requestedFrom: String, seconds: Double)
    case closed(host: String, hadResponse: Bool)
    /// The host asked for fewer requests.
    case throttled(host: String)
}
