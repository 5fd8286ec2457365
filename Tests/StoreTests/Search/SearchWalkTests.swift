import FeedAPI
import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A long random walk of everything that decides who finds which status. Searches are compared with a linear scan of a
/// simple model.
@Suite(.hangLimit)
struct SearchWalkTests {
    private struct Pair: Hashable {
        let from: Int
        let to: Int
        var turned: Pair { Pair(from: to, to: from) }
    }

    private struct Post {
        let id: Int64
        let author: Int
        let visibility: Visibility
        var words: Set<String>
        var mentioned: Set<Int>
    }

    private struct Model {
        var posts: [Post] = []
        var (follows, blocks, mutes): (Set<Pair>, Set<Pair>, Set<Pair>) = ([], [], [])
        var (indexable, silenced, suspended): (Set<Int>, Set<Int>, Set<Int>) = ([0, 1, 2, 3], [], [])

        func found(_ word: String, without other: String?, by viewer: Int?) -> [Int64] {
            posts.filter { post in
                post.words.contains(word) && other.map { !post.words.contains($0) } ?? true && finds(viewer, post)
            }.map(\.id).sorted(by: >)
        }

        private func finds(_ viewer: Int?, _ post: Post) -> Bool {
            guard !suspended.contains(post.author) else { return false }
            let isOpen = post.visibility.isPublicOrUnlisted && indexable.contains(post.author)
            guard let viewer else { return isOpen && !silenced.contains(post.author) }
            let pair = Pair(from: viewer, to: post.author)
            guard blocks.isDisjoint(with: [pair, pair.turned]), !mutes.contains(pair) else { return false }
            let (isOwn, follows) = (viewer == post.author, follows.contains(pair))
            guard !silenced.contains(post.author) || isOwn || follows else { return false }
            return isOpen || isOwn || post.mentioned.contains(viewer) || follows && post.visibility != .direct
        }
    }

    private enum Verb: CaseIterable {
        case post, insert, edit, delete, follow, unfollow, block, unblock, mute, unmute, index, hide, silence, suspend
    }

    private static let words = ["zebra", "heron", "stork", "otter"]

    @Test(arguments: [Soak.seed, 2, 3]) func searchesMatchTheModel(seed: UInt64) async throws {
        let store = try TestStore()
        var random = SplitMix64(seed: seed)
        var people: [Account] = []
        for number in 0..<4 { people.append(try await store.account("user\(number)")) }
        var model = Model()
        let verbs = Verb.allCases + [.post, .post, .post, .edit, .follow, .index, .unblock, .unmute]
        for step in 0..<Soak.rounds(300, soaking: 5000) {
            let verb = verbs[Int.random(in: verbs.indices, using: &random)]
            let pair = Pair(from: Int.random(in: 0..<4, using: &random), to: Int.random(in: 0..<4, using: &random))
            try await Self.perform(verb, pair, &model, people, store, &random)
            if step % 50 == 49 { try await SearchIndexing(store.database).run() }
            if step % 100 == 30 { try await SearchIndexing(store.database).merge() }
            let viewer = Int.random(in: -1..<4, using: &random)
            let word = Self.words[Int.random(in: 0..<4, using: &random)]
            let other = Bool.random(using: &random) ? nil : Self.words[Int.random(in: 0..<4, using: &random)]
            var query = ResolvedSearch(words: word).limited(to: 2000)
            if let other { query.terms.append(.init(.word(other), isExcluded: true)) }
            let found = try await store.found(query, by: viewer < 0 ? nil : people[viewer])
            let expected = model.found(word, without: other, by: viewer < 0 ? nil : viewer)
            #expect(found == expected, "seed \(seed), step \(step): \(verb) \(pair), then \(word) by \(viewer)")
            guard found == expected else { return }
        }
        #expect(try await Set(store.indexed()) == Set(model.posts.map(\.id)))
        #expect(try await Self.numbersAreInOrder(store))
        #expect(!model.posts.isEmpty)
    }

    private static func perform(
        _ verb: Verb, _ pair: Pair, _ model: inout Model, _ people: [Account], _ store: TestStore,
        _ random: inout SplitMix64
    ) async throws {
        let (one, other) = (people[pair.from], people[pair.to])
        switch verb {
        case .insert: try await insert(pair.from, &model, people, store, &random)
        case .post, .edit, .delete: try await write(verb, pair, &model, people, store, &random)
        case .index:
            guard !model.suspended.contains(pair.from) else { return }
            try await store.setIndexable(one)
            model.indexable.insert(pair.from)
        case .hide:
            guard !model.suspended.contains(pair.from) else { return }
            try await store.setIndexable(one, false)
            model.indexable.remove(pair.from)
        case .silence:
            try await store.moderation.perform(model.silenced.contains(pair.from) ? .unsilence : .silence, on: one.id)
            model.silenced.formSymmetricDifference([pair.from])
        case .suspend:
            try await store.moderation.perform(model.suspended.contains(pair.from) ? .unsuspend : .suspend, on: one.id)
            model.suspended.formSymmetricDifference([pair.from])
        case .follow, .unfollow, .block, .unblock, .mute, .unmute:
            guard pair.from != pair.to, model.suspended.isDisjoint(with: [pair.from, pair.to]) else { return }
            try await relate(verb, pair, &model, one.id, other.id, store)
        }
    }

    private static func relate(
        _ verb: Verb, _ pair: Pair, _ model: inout Model, _ one: Int64, _ other: Int64, _ store: TestStore
    ) async throws {
        switch verb {
        case .follow:
            // Silenced accounts only ask to follow.
            guard model.blocks.isDisjoint(with: [pair, pair.turned]), !model.silenced.contains(pair.from) else {
                return
            }
            try await store.follows.follow(other, by: one)
            model.follows.insert(pair)
        case .unfollow:
            try await store.follows.unfollow(other, by: one)
            model.follows.remove(pair)
        case .block:
            try await store.blocks.block(other, by: one)
            model.blocks.insert(pair)
            model.follows.subtract([pair, pair.turned])
        case .unblock:
            try await store.blocks.unblock(other, by: one)
            model.blocks.remove(pair)
        case .mute:
            try await store.mutes.mute(other, by: one, Mute())
            model.mutes.insert(pair)
        default:
            try await store.mutes.unmute(other, by: one)
            model.mutes.remove(pair)
        }
    }

    /// Imports some statuses after a random one.
    private static func insert(
        _ author: Int, _ model: inout Model, _ people: [Account], _ store: TestStore, _ random: inout SplitMix64
    ) async throws {
        guard !model.suspended.contains(author), let older = model.posts.randomElement(using: &random) else { return }
        let words = Set((0..<2).map { _ in Self.words[Int.random(in: 0..<4, using: &random)] })
        store.clock.now += 1000
        let lines = (1...Int64.random(in: 1...5, using: &random)).map { number in
            let time = ISO8601.text(milliseconds: (older.id >> 16) + number)
            let text = words.sorted().joined(separator: " ")
            return #"{"kind":"status","author":"user\#(author)","created_at":"\#(time)","text":"\#(text)"}"#
        }
        let known = try await Set(ids(store))
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(lines.joined(separator: "\n")))
        _ = try await session.publish()
        try await SearchIndexing(store.database, page: 30, batch: 7).run()
        model.posts += try await ids(store).filter { !known.contains($0) }.map {
            Post(id: $0, author: author, visibility: .public, words: words, mentioned: [])
        }
    }

    private static func ids(_ store: TestStore) async throws -> [Int64] {
        try await store.database.read { try $0.fetchAll("SELECT id FROM status", as: Int64.self) }
    }

    private static func numbersAreInOrder(_ store: TestStore) async throws -> Bool {
        guard !PostgresTests.isEnabled else { return true }
        let query: SQL = "SELECT status_id FROM status_search ORDER BY number DESC"
        return try await store.database.read { try $0.fetchAll(query, as: Int64.self) } == store.indexed()
    }

    private static func write(
        _ verb: Verb, _ pair: Pair, _ model: inout Model, _ people: [Account], _ store: TestStore,
        _ random: inout SplitMix64
    ) async throws {
        guard !model.suspended.contains(pair.from) else { return }
        let words = Set((0..<2).map { _ in Self.words[Int.random(in: 0..<4, using: &random)] })
        let mentions = pair.to != pair.from && !model.suspended.contains(pair.to) && Bool.random(using: &random)
        let text = (mentions ? "@\(people[pair.to].username) " : "") + words.sorted().joined(separator: " ")
        let mentioned: Set<Int> = mentions ? [pair.to] : []
        store.clock.now += 1000
        guard verb != .post else {
            let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
            let status = try await store.post(text, by: people[pair.from], visibility)
            return model.posts.append(
                Post(id: status.id, author: pair.from, visibility: visibility, words: words, mentioned: mentioned))
        }
        let own = model.posts.indices.filter { model.posts[$0].author == pair.from }
        guard let index = own.randomElement(using: &random) else { return }
        if verb == .delete {
            _ = try await store.statuses.delete(id: model.posts.remove(at: index).id, by: people[pair.from].id)
        } else {
            let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            _ = try await posting.edit(model.posts[index].id, to: StatusDraft(text: text), by: people[pair.from])
            model.posts[index].words = words
            model.posts[index].mentioned.formUnion(mentioned)
        }
    }
}
