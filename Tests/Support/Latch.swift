import Synchronization

/// Opens once. A blocked thread and the task of a test wait for each other by it.
package final class Latch: Sendable {
    private let isOpen = Atomic(false)

    package init() {}

    package func open() { isOpen.store(true, ordering: .releasing) }

    package func wait() async throws {
        try await Patience.until("the latch is open") { isOpen.load(ordering: .acquiring) }
    }

    /// The same on a thread that may be blocked.
    package func block() throws {
        try Patience.block(until: "the latch is open") { isOpen.load(ordering: .acquiring) }
    }
}
