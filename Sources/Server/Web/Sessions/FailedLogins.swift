package import FeedCore
import Synchronization

/// The newest failed logins at this server, for the operator's pages. They are kept in memory only.
package final class FailedLogins: Sendable {
    struct Entry: Sendable {
        let failure: LoginFailure
        /// Milliseconds since 1970, UTC.
        let time: Int64
    }

    static let maximumCount = 100
    /// The maximum length of a name and of an address in bytes.
    private static let maximumBytes = 100

    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// - Parameter time: Milliseconds since 1970, UTC.
    package func add(_ failure: LoginFailure, at time: Int64) {
        let bounded = LoginFailure(
            name: LogEscaping.bounded(failure.name, Self.maximumBytes),
            address: LogEscaping.bounded(failure.address, Self.maximumBytes), reason: failure.reason)
        entries.withLock { entries in
            if entries.count >= Self.maximumCount { entries.removeFirst() }
            entries.append(Entry(failure: bounded, time: time))
        }
    }

    /// The newest first.
    var newest: [Entry] { entries.withLock { $0.reversed() } }
}
