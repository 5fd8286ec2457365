import Synchronization

/// A latch that opens once, for a blocked thread and a test's task to wait for each other.
package final class Latch: Sendable {
    private let isOpen = Atomic(false)

    package init() {}

    package func open() { isOpen.store(true, ordering: .releasing) }

    package func wait() async throws {
        try await Wait.until("the latch is open") { isOpen.load(ordering: .acquiring) }
    }

    /// Waits on a thread that may block.
    package func block() throws {
        try Wait.block(until: "the latch is open") { isOpen.load(ordering: .acquiring) }
    }
}
