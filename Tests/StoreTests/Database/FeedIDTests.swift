import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

/// The random id of the feed, from which the ids in feeds for feed readers follow.
@Suite(.hangLimit, .onSQLite)
struct FeedIDTests {
    @Test func everyFeedHasItsOwn() throws {
        #expect(try TestStore().database.feedID != TestStore().database.feedID)
    }

    @Test func newVersionKeepsIt() throws {
        let store = try TestStore()
        let id = store.database.feedID
        try store.database.close()
        #expect(try TestStore(folder: store.folder, version: "newer").database.feedID == id)
    }

    @Test func copyKeepsIt() async throws {
        let (store, target) = (try TestStore(), try TestStore())
        _ = try await store.account("ada")
        _ = try await DatabaseCopy(from: store.database, to: target.database).run { _, _ in }
        try target.database.close()
        #expect(try TestStore(folder: target.folder).database.feedID == store.database.feedID)
    }
}
