import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct ConversationStoreTests {
    @Test func everyParticipantHasTheConversation() async throws {
        let world = try await FeedFixture()
        let status = try await world.postDirect("@bob @cleo hello", by: world.ada)
        for (account, others, isUnread) in [
            (world.ada, [world.bob, world.cleo], false), (world.bob, [world.ada, world.cleo], true),
            (world.cleo, [world.ada, world.bob], true),
        ] {
            let list = try await world.conversations(of: account)
            #expect(list.map(\.lastStatus?.id) == [status] && list.map(\.isUnread) == [isUnread])
            #expect(list.first?.accounts.map(\.id) == others.map(\.id))
        }
        // Alone with oneself.
        let note = try await world.postDirect("to do", by: world.ada)
        let own = try #require(try await world.conversations(of: world.ada).first)
        #expect(own.lastStatus?.id == note && own.accounts.map(\.id) == [world.ada.id])
    }

    @Test func onlyDirectStatusesAreConversations() async throws {
        let world = try await FeedFixture()
        for visibility in [Visibility.public, .unlisted, .followers] {
            try await world.store.post("@bob hello", by: world.ada, visibility)
        }
        #expect(try await world.conversations(of: world.ada).isEmpty)
        #expect(try await world.conversations(of: world.bob).isEmpty)
    }

    @Test func replyMovesTheConversationToTheTopAndMakesItUnread() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        let second = try await world.postDirect("@bob two", by: world.ada)
        #expect(try await world.conversations(of: world.bob).map(\.lastStatus?.id) == [second, first])
        let conversations = world.store.conversations
        for conversation in try await world.conversations(of: world.bob) {
            let read = try await conversations.markRead(conversation.id, of: world.bob.id)
            #expect(!read.isUnread && read.lastStatus == conversation.lastStatus)
        }
        let answer = try await world.postDirect("@bob again", by: world.ada, replyTo: first)
        let list = try await world.conversations(of: world.bob)
        #expect(list.map(\.lastStatus?.id) == [answer, second] && list.map(\.isUnread) == [true, false])
        // The id survives, and one's own answer is read.
        let own = try await world.postDirect("@ada yes", by: world.bob, replyTo: answer)
        let after = try #require(try await world.conversations(of: world.bob).first)
        #expect(after.id == list[0].id && after.lastStatus?.id == own && !after.isUnread)
    }

    @Test func hiddenConversationReturnsWithTheNextStatus() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        let id = try #require(try await world.conversations(of: world.bob).first).id
        try await world.store.conversations.hide(id, of: world.bob.id)
        #expect(try await world.conversations(of: world.bob).isEmpty)
        #expect(try await world.conversations(of: world.ada).count == 1)
        for action in [
            { try await world.store.conversations.hide(id, of: world.bob.id) },
            { _ = try await world.store.conversations.markRead(id, of: world.bob.id) },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: FeedError.self) { try await action() }
            #expect(error?.kind == .notFound)
        }
        _ = try await world.postDirect("@bob two", by: world.ada, replyTo: first)
        let list = try await world.conversations(of: world.bob)
        #expect(list.map(\.id) == [id] && list.map(\.isUnread) == [true])
    }

    @Test func conversationsOfOthersAreUnknown() async throws {
        let world = try await FeedFixture()
        _ = try await world.postDirect("@bob one", by: world.ada)
        let id = try #require(try await world.conversations(of: world.bob).first).id
        for unknown in [id, 1, .max] {
            let error = await #expect(throws: FeedError.self) {
                try await world.store.conversations.hide(unknown, of: world.cleo.id)
            }
            #expect(error?.kind == .notFound)
        }
        #expect(try await world.conversations(of: world.bob).count == 1)
    }

    @Test func deletionGoesBackToTheStatusBefore() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        let second = try await world.postDirect("@ada @cleo two", by: world.bob, replyTo: first)
        #expect(try await world.conversations(of: world.cleo).map(\.lastStatus?.id) == [second])
        _ = try await world.store.statuses.delete(id: second, by: world.bob.id)
        #expect(try await world.conversations(of: world.ada).map(\.lastStatus?.id) == [first])
        #expect(try await world.conversations(of: world.bob).map(\.lastStatus?.id) == [first])
        #expect(try await world.conversations(of: world.cleo).isEmpty)
        _ = try await world.store.statuses.remove(id: first)
        for account in [world.ada, world.bob] { #expect(try await world.conversations(of: account).isEmpty) }
        let rows = try await world.store.database.read {
            try $0.fetchOne(
                "SELECT (SELECT count(*) FROM conversation) + (SELECT count(*) FROM conversation_status)", as: Int.self)
        }
        #expect(rows == 0)
    }

    @Test func editAddsTheMentionedAccount() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        let bobs = try #require(try await world.conversations(of: world.bob).first)
        _ = try await world.store.conversations.markRead(bobs.id, of: world.bob.id)
        let posting = StatusPosting(
            accounts: world.store.accounts, statuses: world.store.statuses, limits: Limits())
        _ = try await posting.edit(first, to: StatusDraft(text: "@bob @cleo one"), by: world.ada)
        #expect(try await world.conversations(of: world.cleo).map(\.isUnread) == [true])
        let after = try #require(try await world.conversations(of: world.bob).first)
        #expect(!after.isUnread && after.accounts.map(\.id) == [world.ada.id, world.cleo.id])
        #expect(after.lastStatus?.text == "@bob @cleo one")
    }

    @Test func blockedAndMutedAuthorsAreLeftOut() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        try await world.store.mutes.mute(world.ada.id, by: world.bob.id, Mute())
        #expect(try await world.conversations(of: world.bob).isEmpty)
        let id = first
        let read = try await world.store.conversations.markRead(id, of: world.bob.id)
        #expect(read.lastStatus == nil && !read.isUnread)
        try await world.store.mutes.unmute(world.ada.id, by: world.bob.id)
        #expect(try await world.conversations(of: world.bob).count == 1)
        try await world.store.blocks.block(world.bob.id, by: world.ada.id)
        #expect(try await world.conversations(of: world.bob).isEmpty)
    }

    @Test func pagesFollowTheNewestStatuses() async throws {
        let world = try await FeedFixture()
        var ids: [Int64] = []
        for number in 0..<7 { ids.append(try await world.postDirect("@bob \(number)", by: world.ada)) }
        let store = world.store.conversations
        let first = try await store.conversations(of: world.bob.id, page: Pagination(limit: 3))
        #expect(first.entries.map(\.lastStatus?.id) == ids.suffix(3).reversed() && first.hasOlder)
        let second = try await store.conversations(of: world.bob.id, page: Pagination(limit: 3, maxID: first.oldest))
        #expect(second.entries.map(\.lastStatus?.id) == ids[1...3].reversed())
        let newer = try await store.conversations(of: world.bob.id, page: Pagination(limit: 2, minID: second.newest))
        #expect(newer.entries.map(\.lastStatus?.id) == ids[4...5].reversed())
        let since = try await store.conversations(of: world.bob.id, page: Pagination(limit: 9, sinceID: ids[5]))
        #expect(since.entries.map(\.lastStatus?.id) == [ids[6]])
    }

    @Test func readingAndHidingAreLoggedOnce() async throws {
        let world = try await FeedFixture()
        let first = try await world.postDirect("@bob one", by: world.ada)
        let start = try await world.store.changes.position().sequence
        for _ in 0..<2 { _ = try await world.store.conversations.markRead(first, of: world.bob.id) }
        try await world.store.conversations.hide(first, of: world.bob.id)
        let logged = try await world.store.changes.changes(after: start, limit: 10)
        #expect(logged.map(\.kind) == [.conversationRead, .conversationHidden])
        #expect(logged.allSatisfy { $0.account == world.bob.id && $0.subject == first })
    }
}

extension FeedFixture {
    fileprivate func postDirect(_ text: String, by account: Account, replyTo: Int64? = nil) async throws -> Int64 {
        store.clock.now += 1000
        return try await store.post(text, by: account, .direct, replyTo: replyTo).id
    }

    fileprivate func conversations(of account: Account) async throws -> [Conversation] {
        try await store.conversations.conversations(of: account.id, page: Pagination(limit: 20)).entries
    }
}
