package import FeedCore
import FeedStore

/// A store with three accounts, which no relationship connects.
package struct FeedFixture: Sendable {
    package let store: TestStore
    package let ada: Account
    package let bob: Account
    package let cleo: Account
    /// The position after the accounts.
    package let start: ChangeCursor

    package init() async throws {
        store = try TestStore()
        ada = try await store.account("ada")
        bob = try await store.account("bob")
        cleo = try await store.account("cleo")
        start = ChangeCursor(sequence: try await store.changes.position().sequence)
    }
}
