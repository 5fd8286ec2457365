import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A home page that is made from an earlier one equals one that is read from the database.
@Suite(.hangLimit)
struct HomeRefreshTests {
    private let store: TestStore
    private let ada: Account
    private let bob: Account
    private let cleo: Account
    private let limit = 5

    /// ada follows bob and #tag.
    init() async throws {
        store = try TestStore()
        ada = try await store.account("ada")
        bob = try await store.account("bob")
        cleo = try await store.account("cleo")
        try await store.follows.follow(bob.id, by: ada.id)
        try await store.tagFollows.follow(tag: "tag", by: ada.id)
    }

    private func read() async throws -> Page<ListedStatus> {
        try await store.timelines.timeline(.home(ada.id), page: Pagination(limit: limit), for: ada.id) { ids, _ in
            ids.map { _ in nil }
        }
    }

    /// - Parameters:
    ///   - ids: Those of statuses and boosts, as the log gives them.
    ///   - boosts: The boosts among them.
    private func refreshed(
        _ earlier: Page<ListedStatus>, by ids: [Int64]?, boosts: Set<Int64> = []
    ) async throws -> Page<ListedStatus>? {
        let entries = (earlier.entries + (earlier.following.map { [$0] } ?? [])).map(\.entry)
        let sources = try await store.timelines.homeSources(of: ada.id, limit: 100)
        return try await store.timelines.refreshedHome(
            try #require(sources.home), from: entries, limit: limit,
            additions: { _ in ids.map { ListAdditions($0, boosts: boosts) } }, known: { ids, _ in ids.map { _ in nil } }
        )
    }

    private func expectEqual(_ found: Page<ListedStatus>?, _ wanted: Page<ListedStatus>) throws {
        let found = try #require(found)
        #expect(found.entries.map(\.entry) == wanted.entries.map(\.entry))
        #expect(found.following?.entry == wanted.following?.entry && found.hasOlder == wanted.hasOlder)
        #expect(found.newest == wanted.newest && found.oldest == wanted.oldest && !found.endsEarly)
        #expect(found.entries.map(\.references) == wanted.entries.map(\.references))
    }

    /// Of statuses that may have been added, only those that belong on the page are shown. The earlier page is empty or
    /// full, and the additions are more than a page.
    @Test func additionsAreSelectedAsOnANewPage() async throws {
        let old = try await store.post("old", by: cleo)
        var random = SplitMix64(seed: 1)
        for _ in 0..<6 {
            let earlier = try await read()
            let parent = try await store.post("parent", by: cleo)
            var added = [parent.id]
            for text in ["one", "two #tag"] {
                for visibility in Visibility.allCases {
                    added.append(try await store.post("\(text) \(visibility)", by: bob, visibility).id)
                    added.append(try await store.post("\(text) \(visibility)", by: cleo, visibility).id)
                }
            }
            added.append(try await store.post("reply", by: bob, replyTo: parent.id).id)
            added.append(try await store.post("own", by: ada).id)
            try expectEqual(try await refreshed(earlier, by: added.shuffled(using: &random)), try await read())
            let boost = try await store.boosts.boost(parent.id, visibility: nil, by: bob.id).pageID
            added.append(boost)
            try expectEqual(
                try await refreshed(earlier, by: added.shuffled(using: &random), boosts: [boost]), try await read())
        }
        _ = try await store.boosts.boost(old.id, visibility: nil, by: bob.id)
        let (page, one) = (try await read(), try await store.post("one", by: bob))
        try expectEqual(try await refreshed(page, by: [one.id]), try await read())
        #expect(try await refreshed(page, by: nil) == nil)
    }

    /// What belongs on the page is found behind any number of newer statuses that do not.
    @Test func additionsBehindOthersAreFound() async throws {
        let page = try await read()
        let parent = try await store.post("parent", by: cleo)
        var added: [Int64] = []
        for number in 0..<2 * limit { added.append(try await store.post("status \(number)", by: bob).id) }
        for _ in 0..<3 * limit { added.append(try await store.post("reply", by: bob, replyTo: parent.id).id) }
        try expectEqual(try await refreshed(page, by: added), try await read())
    }

    /// The members of an exclusive list are left out.
    @Test func exclusiveListsAreRespected() async throws {
        try await store.follows.follow(cleo.id, by: ada.id)
        let list = try await store.lists.create(ListDraft(title: "list", isExclusive: true), by: ada.id)
        try await store.lists.add([cleo.id], to: list.id, of: ada.id)
        let page = try await read()
        let added = [try await store.post("one", by: bob).id, try await store.post("two", by: cleo).id]
        let found = try await refreshed(page, by: added)
        #expect(found?.entries.map(\.entry.id) == [added[0]])
        try expectEqual(found, try await read())
    }

    /// Accounts that are blocked, muted, or block the reader.
    @Test func hiddenAccountsAreLeftOut() async throws {
        try await store.follows.follow(cleo.id, by: ada.id)
        let page = try await read()
        let added = [try await store.post("one", by: bob).id, try await store.post("two", by: cleo).id]
        try expectEqual(try await refreshed(page, by: added), try await read())
        try await store.mutes.mute(cleo.id, by: ada.id, Mute())
        let found = try await refreshed(page, by: added)
        #expect(found?.entries.map(\.entry.id) == [added[0]])
        try expectEqual(found, try await read())
        try await store.mutes.unmute(cleo.id, by: ada.id)
        let home = try await store.timelines.homeSources(of: ada.id, limit: 100).home
        #expect(home?.hidesAccounts == false)
        try await store.blocks.block(ada.id, by: cleo.id)
        #expect(try await store.timelines.homeSources(of: ada.id, limit: 100).home?.hidesAccounts == true)
    }

    /// The earlier page may be short, full, or full with another one behind it.
    @Test func pagesOfAnyLengthAreRefreshed() async throws {
        for count in 0...limit + 2 {
            let earlier = try await read()
            #expect(earlier.entries.count == min(count, limit) && earlier.hasOlder == (count > limit))
            let new = try await store.post("status \(count)", by: bob)
            try expectEqual(try await refreshed(earlier, by: [new.id]), try await read())
        }
    }

    /// A page may be newer than the position at which it is known to be valid.
    @Test func additionsThatThePageContainsAreShownOnce() async throws {
        var added: [Int64] = []
        for number in 0..<10 { added.append(try await store.post("status \(number)", by: bob).id) }
        let page = try await read()
        try expectEqual(try await refreshed(page, by: added), page)
        try expectEqual(try await refreshed(page, by: []), page)
    }

    /// The marks of the earlier page are kept, and those on new entries read.
    @Test func marksAreKept() async throws {
        let poll = PollDraft(options: ["one", "two"], seconds: 3600)
        let question = try await store.post("which?", by: bob, poll: poll)
        _ = try await store.polls.vote([1], in: question.id, by: ada.id)
        _ = try await store.statuses.set(.favourite, true, on: question.id, by: ada.id)
        let page = try await read()
        let other = try await store.post("another one?", by: bob, poll: poll)
        _ = try await store.polls.vote([0], in: other.id, by: ada.id)
        let found = try await refreshed(page, by: [other.id])
        try expectEqual(found, try await read())
        #expect(found?.entries.map(\.entry.marks.votes) == [[0], [1]])
    }

    /// A new status belongs to a muted conversation, or is the boost of a marked one.
    @Test func earlierMarksAppearOnNewEntries() async throws {
        let (muted, marked) = (try await store.post("muted", by: ada), try await store.post("marked", by: cleo))
        _ = try await store.statuses.set(.conversationMute, true, on: muted.id, by: ada.id)
        for mark in [StatusMark.favourite, .bookmark] {
            _ = try await store.statuses.set(mark, true, on: marked.id, by: ada.id)
        }
        let page = try await read()
        let reply = try await store.post("reply", by: bob, replyTo: muted.id)
        let answered = try await refreshed(page, by: [reply.id])
        try expectEqual(answered, try await read())
        #expect(answered?.entries.first?.entry.marks.marks == [.conversationMute])
        let boost = try await store.boosts.boost(marked.id, visibility: nil, by: bob.id).pageID
        let boosted = try await refreshed(page, by: [reply.id, boost], boosts: [boost])
        try expectEqual(boosted, try await read())
        #expect(boosted?.entries.first?.entry.marks.marks == [.favourite, .bookmark])
    }

    /// An entry whose deletion is not among the changes.
    @Test func pageWithADeletedEntryIsReadAgain() async throws {
        let status = try await store.post("status", by: bob)
        let page = try await read()
        _ = try await store.statuses.delete(id: status.id, by: bob.id)
        #expect(try await refreshed(page, by: []) == nil)
    }
}
