import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// People that do the same random things on a server and in a model.
struct StreamPeople {
    typealias Pair = StreamModel.Pair

    private static let tags = ["cats", "dogs"]

    private let store: TestStore
    private var random: SplitMix64
    /// The accounts and their tokens.
    private(set) var all: [(account: Account, token: String)] = []
    private(set) var model = StreamModel()
    private var number = 0
    /// The latest action, for messages.
    private var action = "the start"

    init(_ store: TestStore, _ random: SplitMix64) { (self.store, self.random) = (store, random) }

    /// The latest step, for messages.
    var step: String { "step \(number) (\(action))" }

    mutating func add(_ person: (account: Account, token: String)) { all.append(person) }

    /// Two people get lists, and one follows a hashtag.
    mutating func begin() async throws {
        for owner in 0..<2 {
            let list = try await store.list(of: all[owner].account, replies: .list)
            model.lists[list.id] = StreamModel.List(owner: owner)
        }
        try await store.tagFollows.follow(tag: Self.tags[0], by: all[3].account.id)
        model.followedTags[3] = [Self.tags[0]]
        try await befriend()
    }

    /// Each account follows the next two; its list contains one of them.
    private mutating func befriend() async throws {
        for from in all.indices {
            for step in 1...2 {
                let pair = Pair(from: from, to: (from + step) % all.count)
                try await store.follows.follow(all[pair.to].account.id, by: all[from].account.id)
                model.follow(pair, at: store.clock.now)
            }
        }
        for (id, list) in model.lists {
            let member = list.owner + 1
            try await store.lists.add([all[member].account.id], to: id, of: all[list.owner].account.id)
            model.lists[id]?.members.insert(member)
        }
    }

    mutating func noteWhatIsSeen() { model.noteWhatIsSeen(by: [nil] + all.indices.map(Optional.some)) }

    /// Ends all blocks and mutes.
    mutating func makePeace() async throws {
        for pair in model.blocks {
            try await store.blocks.unblock(all[pair.to].account.id, by: all[pair.from].account.id)
        }
        for pair in model.mutes {
            try await store.mutes.unmute(all[pair.to].account.id, by: all[pair.from].account.id)
        }
        (model.blocks, model.mutes) = ([], [])
    }

    /// The last person posts a status that mentions the others.
    mutating func addressAll(_ visibility: Visibility) async throws {
        let (author, tags) = (all.count - 1, Set(Self.tags))
        number += 1
        try await post(by: author, visibility, mentions: Set(0..<author), tags: tags, replyTo: nil)
    }
}

// Random actions.
extension StreamPeople {
    private mutating func person() -> Int { Int.random(in: all.indices, using: &random) }

    /// A random position of a status that meets a condition.
    private mutating func status(_ isWanted: (StreamModel.Post) -> Bool) -> Int? {
        let found = model.posts.indices.filter {
            model.posts[$0].isAlive && model.posts[$0].original == nil && isWanted(model.posts[$0])
        }
        return found.randomElement(using: &random)
    }

    mutating func act() async throws {
        number += 1
        action = "nothing"
        store.clock.now += 1000
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: try await post(replies: false)
        case 5, 6: try await post(replies: true)
        case 7, 8: try await edit()
        case 9, 10: try await delete()
        case 11, 12: try await boost()
        case 13: try await unboost()
        case 14: try await changeList()
        default: try await relate()
        }
    }

    private mutating func text(_ index: Int, _ mentions: Set<Int>, _ tags: Set<String>) -> (text: String, word: String)
    {
        let word = "word\(index)v\(number)x"
        let names = mentions.sorted().map { "@user\($0)" }
        return ((names + [word] + tags.sorted().map { "#" + $0 }).joined(separator: " "), word)
    }

    private mutating func someTags() -> Set<String> {
        Set(Self.tags.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    }

    private mutating func post(replies: Bool) async throws {
        let (author, mentioned) = (person(), person())
        let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
        let isMentioned = visibility == .direct || Int.random(in: 0..<3, using: &random) == 0
        let rules = model
        let target = replies ? status { rules.sees(author, $0) } : nil
        let tags = someTags()
        try await post(by: author, visibility, mentions: isMentioned ? [mentioned] : [], tags: tags, replyTo: target)
    }

    private mutating func post(
        by author: Int, _ visibility: Visibility, mentions: Set<Int>, tags: Set<String>, replyTo target: Int?
    ) async throws {
        let index = model.posts.count
        let (text, word) = text(index, mentions, tags)
        action = "user\(author) posts \(text), \(visibility), to \(target.map(String.init) ?? "nobody")"
        let parent = target.map { model.posts[$0] }
        let posted = try await store.post(text, by: all[author].account, visibility, replyTo: parent?.id)
        var post = StreamModel.Post(id: posted.id, author: author, visibility: visibility, root: parent?.root ?? index)
        (post.word, post.tags, post.parent) = (word, tags, parent?.author)
        (post.mentions, post.everMentioned) = (mentions, mentions)
        model.add(post)
    }

    private mutating func edit() async throws {
        guard let index = status({ _ in true }) else { return }
        let mentions: Set<Int> = Bool.random(using: &random) ? [person()] : []
        let tags = someTags()
        let (text, word) = text(index, mentions, tags)
        let post = model.posts[index]
        action = "user\(post.author) edits \(post.id): \(text)"
        var draft = StatusDraft(text: text)
        draft.visibility = post.visibility
        _ = try await StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            .edit(post.id, to: draft, by: all[post.author].account)
        model.edit(index, word: word, tags: tags, mentions: mentions)
    }

    private mutating func delete() async throws {
        guard let index = status({ _ in true }) else { return }
        let post = model.posts[index]
        action = "user\(post.author) deletes \(post.id)"
        #expect(try await store.statuses.delete(id: post.id, by: all[post.author].account.id) != nil)
        model.end(index, at: store.clock.now)
    }

    private mutating func boost() async throws {
        let (booster, rules) = (person(), model)
        let boosted = Set(rules.posts.filter { $0.isAlive && $0.author == booster }.compactMap(\.original))
        guard let index = status({ $0.visibility.isPublicOrUnlisted && rules.sees(booster, $0) }),
            !boosted.contains(index)
        else { return }
        action = "user\(booster) boosts \(model.posts[index].id)"
        let boost = try await store.boosts.boost(
            model.posts[index].id, visibility: nil, by: all[booster].account.id)
        let root = model.posts.count
        model.add(.init(id: boost.pageID, author: booster, visibility: .public, root: root, original: index))
    }

    private mutating func unboost() async throws {
        let boosts = model.posts.indices.filter { model.posts[$0].isAlive && model.posts[$0].original != nil }
        guard let index = boosts.randomElement(using: &random), let original = model.posts[index].original else {
            return
        }
        let booster = model.posts[index].author
        action = "user\(booster) removes the boost \(model.posts[index].id)"
        _ = try await store.boosts.unboost(model.posts[original].id, by: all[booster].account.id)
        model.end(index, at: store.clock.now)
    }

    private mutating func changeList() async throws {
        guard let id = model.lists.keys.sorted().randomElement(using: &random), let list = model.lists[id] else {
            return
        }
        let (member, owner) = (person(), all[list.owner].account.id)
        if list.members.contains(member) {
            action = "the list \(id) loses user\(member)"
            try await store.lists.remove([all[member].account.id], from: id, of: owner)
            model.lists[id]?.members.remove(member)
        } else if model.follows[Pair(from: list.owner, to: member)] != nil {
            action = "the list \(id) gets user\(member)"
            try await store.lists.add([all[member].account.id], to: id, of: owner)
            model.lists[id]?.members.insert(member)
        }
    }

    private mutating func relate() async throws {
        let pair = Pair(from: person(), to: person())
        guard pair.from != pair.to else { return }
        let (one, other) = (all[pair.from].account.id, all[pair.to].account.id)
        let kind = Int.random(in: 0..<10, using: &random)
        action = "relationship \(kind) from user\(pair.from) to user\(pair.to)"
        switch kind {
        case 0..<5:
            guard model.blocks.isDisjoint(with: [pair, pair.turned]), model.follows[pair] == nil else { return }
            try await store.follows.follow(other, by: one)
            model.follow(pair, at: store.clock.now)
        case 5:
            try await store.follows.unfollow(other, by: one)
            model.unfollow(pair)
        case 6:
            try await store.blocks.block(other, by: one)
            model.block(pair)
        case 7:
            try await store.blocks.unblock(other, by: one)
            model.blocks.remove(pair)
        case 8:
            try await store.mutes.mute(other, by: one, Mute())
            model.mutes.insert(pair)
        default:
            try await store.mutes.unmute(other, by: one)
            model.mutes.remove(pair)
        }
    }
}
