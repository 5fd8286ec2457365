import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A long random walk of posts, edits, deletions, boosts, follows, blocks and mutes. Some accounts read their change feed
/// from time to time, each with pages of a size of its own, and must learn exactly what a simple model says.
@Suite("The change feed matches a model", .hangLimit) struct ChangeFeedWalkTests {
    private static let seeds = Soak.isEnabled ? [Soak.seed] : [1, 2, 3]

    @Test(arguments: seeds)
    func accountsLearnWhatTheModelSays(seed: UInt64) async throws {
        var walk = try await FeedWalk(people: 5, seed: seed)
        var (compared, deletions) = (0, 0)
        for step in 0..<Soak.rounds(400, soaking: 5000) {
            try await walk.act()
            guard step % 3 == 0 else { continue }
            let name = Comment(rawValue: "seed \(seed), step \(step)")
            let (viewer, found, expected) = try await walk.read()
            #expect(found == expected, name)
            #expect(found.allSatisfy { walk.model.everSeen[viewer].contains($0.id) }, name)
            compared += expected.count
            deletions += expected.filter { $0.event == .delete }.count
        }
        #expect(compared > 150 && deletions > 10, "seed \(seed): \(compared) comparisons, \(deletions) deletions")
    }
}

/// An event that an account receives.
private struct Learned: Equatable {
    let event: StreamEventType
    let id: Int64
    var text: String?
}

private struct Pair: Hashable {
    let from: Int
    let to: Int
    var turned: Pair { Pair(from: to, to: from) }
}

/// A status or a boost. People are numbered.
private struct Post {
    let id: Int64
    let author: Int
    let visibility: Visibility
    var text = ""
    /// The people that the status mentions or has once mentioned.
    var mentions: Set<Int> = []
    /// The position of the boosted status.
    var original: Int?
    var isAlive = true
    /// The people that could see the status when it was deleted because it mentioned them.
    var witnesses: Set<Int> = []
    var deletedAt: Int64 = 0
}

/// The state that the rules depend on, and all that has happened.
private struct FeedModel {
    var posts: [Post] = []
    /// The events in the order of the log, with the position of the post.
    var happened: [(event: StreamEventType, post: Int)] = []
    /// The times of the follows.
    var follows: [Pair: Int64] = [:]
    var blocks: Set<Pair> = []
    var mutes: Set<Pair> = []
    /// The statuses and boosts that each person could see at some time.
    var everSeen: [Set<Int64>]

    init(people: Int) { everSeen = Array(repeating: [], count: people) }

    /// Whether a person may see a post, apart from being in the database.
    func sees(_ viewer: Int, _ post: Post) -> Bool {
        let isOpen = post.visibility.isPublicOrUnlisted || post.author == viewer
        let follows = post.visibility == .followers && follows[Pair(from: viewer, to: post.author)] != nil
        guard isOpen || follows || post.mentions.contains(viewer) else { return false }
        guard !blocks.contains(Pair(from: post.author, to: viewer)) else { return false }
        return post.original.map { posts[$0].isAlive && sees(viewer, posts[$0]) } ?? true
    }

    private func wants(_ viewer: Int, _ post: Post) -> Bool {
        let pair = Pair(from: viewer, to: post.author)
        guard blocks.isDisjoint(with: [pair, pair.turned]), !mutes.contains(pair) else { return false }
        return post.original.map { wants(viewer, posts[$0]) } ?? true
    }

    private func couldSee(_ viewer: Int, _ post: Post) -> Bool {
        guard !blocks.contains(Pair(from: post.author, to: viewer)) else { return false }
        if let original = post.original { return posts[original].isAlive && sees(viewer, posts[original]) }
        if post.visibility.isPublicOrUnlisted || post.author == viewer { return true }
        let since = follows[Pair(from: viewer, to: post.author)] ?? .max
        return post.visibility == .followers && since <= post.deletedAt || post.witnesses.contains(viewer)
    }

    /// The events that a person receives from a position on.
    func learned(by viewer: Int, from start: Int) -> [Learned] {
        happened[start...].compactMap { event, index in
            let post = posts[index]
            if event == .delete { return couldSee(viewer, post) ? Learned(event: event, id: post.id) : nil }
            guard post.isAlive, sees(viewer, post), wants(viewer, post) else { return nil }
            return Learned(event: event, id: post.id, text: posts[post.original ?? index].text)
        }
    }

    mutating func noteWhatIsSeen() {
        for viewer in everSeen.indices {
            // Everyone can see public and unlisted statuses without logging in.
            let seen = posts.filter { $0.isAlive && ($0.visibility.isPublicOrUnlisted || sees(viewer, $0)) }
            everSeen[viewer].formUnion(seen.map(\.id))
        }
    }

    mutating func end(_ index: Int, at now: Int64) {
        posts[index].isAlive = false
        posts[index].deletedAt = now
        posts[index].witnesses = posts[index].mentions.filter {
            !blocks.contains(Pair(from: posts[index].author, to: $0))
        }
        happened.append((.delete, index))
        for boost in posts.indices where posts[boost].original == index { posts[boost].isAlive = false }
    }
}

/// The same steps in a database and in the model.
private struct FeedWalk {
    private let store: TestStore
    private var people: [Account] = []
    private(set) var model: FeedModel
    private var random: SplitMix64
    /// The position from which each person continues to read, in the log and in the model.
    private var readers: [(cursor: ChangeCursor, happened: Int)] = []

    init(people count: Int, seed: UInt64) async throws {
        store = try TestStore()
        random = SplitMix64(seed: seed)
        model = FeedModel(people: count)
        for number in 0..<count { people.append(try await store.account("user\(number)")) }
        let start = ChangeCursor(sequence: try await store.changes.position().sequence)
        readers = Array(repeating: (start, 0), count: count)
    }

    private mutating func person() -> Int { Int.random(in: people.indices, using: &random) }

    /// A random position of a post that meets a condition.
    private mutating func post(_ isWanted: (Post) -> Bool) -> Int? {
        model.posts.indices.filter { model.posts[$0].isAlive && isWanted(model.posts[$0]) }.randomElement(
            using: &random)
    }

    mutating func act() async throws {
        store.clock.now += 1000
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: try await create()
        case 5, 6: try await edit()
        case 7, 8: try await delete()
        case 9: try await boost()
        case 10: try await unboost()
        default: try await relate()
        }
        model.noteWhatIsSeen()
    }

    private mutating func create() async throws {
        let (author, mentioned) = (person(), person())
        let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
        let mentions = visibility == .direct || Bool.random(using: &random)
        let text = (mentions ? "@user\(mentioned) " : "") + "post \(model.posts.count)"
        let status = try await store.post(text, by: people[author], visibility)
        model.posts.append(
            Post(
                id: status.id, author: author, visibility: visibility, text: text,
                mentions: mentions ? [mentioned] : []))
        model.happened.append((.update, model.posts.count - 1))
    }

    private mutating func edit() async throws {
        let mentioned = person()
        guard let index = post({ $0.original == nil }) else { return }
        let author = people[model.posts[index].author]
        let text = "@user\(mentioned) edit \(model.happened.count)"
        var draft = StatusDraft(text: text)
        draft.visibility = model.posts[index].visibility
        _ = try await StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            .edit(model.posts[index].id, to: draft, by: author)
        model.posts[index].text = text
        model.posts[index].mentions.insert(mentioned)
        model.happened.append((.statusUpdate, index))
    }

    private mutating func delete() async throws {
        guard let index = post({ $0.original == nil }) else { return }
        let post = model.posts[index]
        #expect(try await store.statuses.delete(id: post.id, by: people[post.author].id) != nil)
        model.end(index, at: store.clock.now)
    }

    private mutating func boost() async throws {
        let booster = person()
        let model = model
        let boosted = model.posts.filter { $0.isAlive && $0.author == booster }.compactMap(\.original)
        guard
            let index = post({ candidate in
                candidate.original == nil && candidate.visibility.isPublicOrUnlisted && model.sees(booster, candidate)
            }), !boosted.contains(index)
        else { return }
        let boost = try await store.boosts.boost(model.posts[index].id, visibility: nil, by: people[booster].id)
        self.model.posts.append(Post(id: boost.pageID, author: booster, visibility: .public, original: index))
        self.model.happened.append((.update, self.model.posts.count - 1))
    }

    private mutating func unboost() async throws {
        guard let index = post({ $0.original != nil }), let original = model.posts[index].original else { return }
        let booster = people[model.posts[index].author].id
        _ = try await store.boosts.unboost(model.posts[original].id, by: booster)
        model.end(index, at: store.clock.now)
    }

    private mutating func relate() async throws {
        let pair = Pair(from: person(), to: person())
        guard pair.from != pair.to else { return }
        let (one, other) = (people[pair.from].id, people[pair.to].id)
        switch Int.random(in: 0..<9, using: &random) {
        case 0..<4:
            guard model.blocks.isDisjoint(with: [pair, pair.turned]), model.follows[pair] == nil else { return }
            try await store.follows.follow(other, by: one)
            model.follows[pair] = store.clock.now
        case 4:
            try await store.follows.unfollow(other, by: one)
            model.follows[pair] = nil
        case 5:
            try await store.blocks.block(other, by: one)
            model.blocks.insert(pair)
            for ended in [pair, pair.turned] { model.follows[ended] = nil }
        case 6:
            try await store.blocks.unblock(other, by: one)
            model.blocks.remove(pair)
        case 7:
            try await store.mutes.mute(other, by: one, Mute())
            model.mutes.insert(pair)
        default:
            try await store.mutes.unmute(other, by: one)
            model.mutes.remove(pair)
        }
    }

    /// A random person reads all that is new. Notifications have tests of their own.
    mutating func read() async throws -> (viewer: Int, found: [Learned], expected: [Learned]) {
        let viewer = person()
        let limit = Int.random(in: 1...9, using: &random)
        var (found, hasMore): ([Learned], Bool) = ([], true)
        let expected = model.learned(by: viewer, from: readers[viewer].happened)
        while hasMore {
            let page = try await store.streams.feed(
                since: readers[viewer].cursor, limit: limit, maximumRows: Int.random(in: 5...50, using: &random),
                for: people[viewer].id)
            found += page.entries.filter { $0.event != .notification }.map { entry in
                Learned(event: entry.event, id: entry.id ?? 0, text: entry.status?.text)
            }
            readers[viewer].cursor = ChangeCursor(epoch: page.position.epoch, sequence: page.position.sequence)
            hasMore = page.hasMore
        }
        readers[viewer].happened = model.happened.count
        return (viewer, found, expected)
    }
}
