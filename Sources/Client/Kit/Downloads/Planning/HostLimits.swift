import Synchronization

/// How many connections each host gets, over all transfers of a client.
final class HostLimits: Sendable {
    private struct Host {
        var rule = WidthRule()
        /// Connections that are open, and those of them that bring something.
        var open = 0
        var active = 0
        var bytes: Int64 = 0
    }

    private let hosts = Mutex<[String: Host]>([:])

    /// A transfer's first connection: it never waits.
    func enter(_ host: String) { hosts.withLock { $0[host, default: Host()].open += 1 } }

    /// One more, if there is room.
    func tryEnter(_ host: String) -> Bool {
        hosts.withLock { hosts in
            guard hosts[host, default: Host()].open < hosts[host, default: Host()].rule.width else { return false }
            hosts[host, default: Host()].open += 1
            return true
        }
    }

    /// A redirect led to another host, before anything came.
    func move(from host: String, to other: String) {
        guard host != other else { return }
        leave(host, hadBegun: false)
        enter(other)
    }

    /// A connection's first answer took so many seconds.
    func answered(_ host: String, after seconds: Double) {
        hosts.withLock { $0[host, default: Host()].rule.answered(after: seconds) }
    }

    /// Its first bytes are there.
    func began(_ host: String) { hosts.withLock { $0[host]?.active += 1 } }

    func leave(_ host: String, hadBegun: Bool) {
        hosts.withLock { hosts in
            hosts[host]?.open -= 1
            if hadBegun { hosts[host]?.active -= 1 }
        }
    }

    func received(_ bytes: Int, from host: String) { hosts.withLock { $0[host]?.bytes += Int64(bytes) } }

    func observe(_ host: String, now: Double) {
        hosts.withLock { hosts in
            guard let state = hosts[host] else { return }
            hosts[host]?.rule.observe(now: now, bytes: state.bytes, active: state.active)
        }
    }

    func throttled(_ host: String, now: Double) { hosts.withLock { $0[host]?.rule.throttled(now: now) } }

    /// Connections the host may have now.
    func width(_ host: String) -> Int { hosts.withLock { $0[host]?.rule.width ?? 1 } }
}
