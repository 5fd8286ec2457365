import CoreMetrics
import FeedCore
import NIOCore

/// Counts the open connections.
struct OpenConnections: Sendable {
    private let open = Meter(label: MetricName.connections.rawValue)

    /// Counts a connection until it is closed.
    func add(_ channel: any Channel) {
        open.increment()
        channel.closeFuture.whenComplete { [open] _ in open.decrement() }
    }
}
