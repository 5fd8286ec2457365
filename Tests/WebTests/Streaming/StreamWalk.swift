import FeedCore
import FeedTestSupport
import Testing

@testable import FeedStore
@testable import FeedWeb

/// The same random steps on a server and in a model, and the readers of streams.
struct StreamWalk {
    typealias Pair = StreamModel.Pair

    private static let tags = ["cats", "dogs"]

    private let world: StreamWorld
    private let seed: UInt64
    private var random: SplitMix64
    private var people: [(account: Account, token: String)] = []
    private var model = StreamModel()
    private var readers: [StreamReader] = []
    /// The positions of what has happened in the log.
    private var sequences: [Int64] = []
    private var logged: Int64 = 0
    private var number = 0
    /// The latest step, for messages.
    private var action = "the start"
    /// The numbers of events received, and of connections that continued where another one stopped.
    private(set) var received = 0
    private(set) var replays = 0

    private var store: TestStore { world.store }

    init(_ world: StreamWorld, people count: Int, seed: UInt64) async throws {
        (self.world, self.seed) = (world, seed)
        random = SplitMix64(seed: seed)
        for index in 0..<count { people.append(try await world.test.account("user\(index)")) }
        for owner in 0..<2 {
            let list = try await store.list(of: people[owner].account, replies: .list)
            model.lists[list.id] = StreamModel.List(owner: owner)
        }
        try await store.tagFollows.follow(tag: Self.tags[0], by: people[3].account.id)
        model.followedTags[3] = [Self.tags[0]]
        try await befriend()
        let position = world.position
        readers = StreamReader.all(people: count, lists: model.lists, since: position)
        try await connect()
    }

    /// Everybody follows the next two, of whom the lists contain one.
    private mutating func befriend() async throws {
        logged = store.database.log.sequence
        for from in people.indices {
            for step in 1...2 {
                let pair = Pair(from: from, to: (from + step) % people.count)
                try await store.follows.follow(people[pair.to].account.id, by: people[from].account.id)
                model.follow(pair, at: store.clock.now)
            }
        }
        for (id, list) in model.lists {
            let member = list.owner + 1
            try await store.lists.add([people[member].account.id], to: id, of: people[list.owner].account.id)
            model.lists[id]?.members.insert(member)
        }
        try await readLog()
    }

    /// Does one thing, and checks what the readers receive.
    mutating func step() async throws {
        try await act()
        try await settle()
        if Int.random(in: 0..<3, using: &random) > 0 { try await connect() }
    }

    /// Connects everybody, and ends all blocks and mutes for two statuses that reach every stream.
    mutating func finish() async throws {
        try await connect()
        for pair in model.blocks {
            try await store.blocks.unblock(people[pair.to].account.id, by: people[pair.from].account.id)
        }
        for pair in model.mutes {
            try await store.mutes.unmute(people[pair.to].account.id, by: people[pair.from].account.id)
        }
        (model.blocks, model.mutes) = ([], [])
        try await settle(dropping: false)
        try await post(by: 4, .public, mentions: [0, 1, 2, 3], tags: Set(Self.tags), replyTo: nil)
        try await settle(dropping: false)
        try await post(by: 4, .direct, mentions: [0, 1, 2, 3], tags: [], replyTo: nil)
        try await settle(dropping: false)
    }
}

// The readers.
extension StreamWalk {
    private func message(_ reader: StreamReader) -> String {
        """
        seed \(seed), step \(number) (\(action)): reader \(reader.number) of \(reader.path) as \
        \(reader.viewer.map { "user\($0)" } ?? "nobody") since \(reader.since)
        """
    }

    /// Waits until the readers have received what happened. Some leave before that.
    private mutating func settle(dropping: Bool = true) async throws {
        model.noteWhatIsSeen(by: [nil] + people.indices.map(Optional.some))
        let known = sequences.count
        try await readLog()
        for index in readers.indices where readers[index].client != nil { expect(index, from: known) }
        for index in readers.indices where dropping && Int.random(in: 0..<16, using: &random) == 0 {
            try await drop(index)
        }
        // The row after the events reaches nobody: once the hub is there, it has sent everything before.
        try await store.changes.recordEmojiChange()
        let (streams, log) = (world.streams, store.database.log)
        try await Wait.until("the hub") { streams.position.sequence == log.sequence }
        for index in readers.indices { try await check(index) }
        // Others leave after they have received everything.
        for index in readers.indices where dropping && Int.random(in: 0..<16, using: &random) == 0 {
            try await drop(index)
        }
    }

    /// Finds the positions of what the model has added.
    private mutating func readLog() async throws {
        var found: [Change] = []
        while let last = try await store.changes.changes(after: logged, limit: 500).last {
            found += try await store.changes.changes(after: logged, limit: 500)
            logged = last.sequence
        }
        let rows = found.filter { !StreamTable.entries(for: $0.kind).isEmpty }
        let wanted = model.kinds(after: sequences.count)
        try #require(rows.map(\.kind) == wanted, "the log, seed \(seed), step \(number) (\(action))")
        sequences += rows.map(\.sequence)
    }

    private mutating func expect(_ index: Int, from start: Int) {
        let reader = readers[index]
        for (cause, text) in model.events(from: start, on: reader.stream, for: reader.viewer) {
            readers[index].expected.append(.init(sequence: sequences[cause], text: text))
        }
    }

    /// Waits until a connected reader has received what it must, and nothing else.
    private mutating func check(_ index: Int) async throws {
        let reader = readers[index]
        guard let client = reader.client, reader.checked < reader.expected.count else { return }
        do {
            _ = try await client.events(reader.expected.count)
        } catch {
            Issue.record("\(error): \(message(reader)), expected \(reader.expected)")
            throw error
        }
        try take(index)
        let complete = readers[index].checked == reader.expected.count
        try #require(complete, "\(message(reader)): received \(readers[index].checked) of \(reader.expected)")
    }

    /// Compares new events with the expected ones.
    private mutating func take(_ index: Int) throws {
        received += try readers[index].take(model, message(readers[index]))
    }

    /// Ends the connection of a reader, which may have received only some events.
    private mutating func drop(_ index: Int) async throws {
        guard let client = readers[index].client else { return }
        client.disconnect()
        try await client.closed()
        try take(index)
        readers[index].leave(epoch: store.database.log.epoch)
    }

    /// Connects all readers again; they receive what they have missed.
    private mutating func connect() async throws {
        let streams = world.streams
        let open = readers.count { $0.client != nil }
        try await Wait.until("the server to notice who has left") { streams.count == open }
        for index in readers.indices where readers[index].client == nil { try await connect(index) }
        let count = readers.count
        // Replays must not meet changes that the model does not know yet.
        try await Wait.until("the end of all replays") { streams.subscriptionCount == count }
        for index in readers.indices { try await check(index) }
    }

    private mutating func connect(_ index: Int) async throws {
        let reader = readers[index]
        let person = reader.viewer.map { people[$0] }
        readers[index].client =
            Bool.random(using: &random)
            ? try await world.open(reader.path(since: reader.since), as: person)
            : try await world.open(reader.path, as: person, since: reader.since)
        expect(index, from: sequences.firstIndex { $0 > reader.position } ?? sequences.count)
        replays += reader.last > 0 ? 1 : 0
    }
}

// The people.
extension StreamWalk {
    private mutating func person() -> Int { Int.random(in: people.indices, using: &random) }

    /// A random position of a status that meets a condition.
    private mutating func status(_ isWanted: (StreamModel.Post) -> Bool) -> Int? {
        let found = model.posts.indices.filter {
            model.posts[$0].isAlive && model.posts[$0].original == nil && isWanted(model.posts[$0])
        }
        return found.randomElement(using: &random)
    }

    private mutating func act() async throws {
        number += 1
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
        let posted = try await store.post(text, by: people[author].account, visibility, replyTo: parent?.id)
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
            .edit(post.id, to: draft, by: people[post.author].account)
        model.edit(index, word: word, tags: tags, mentions: mentions)
    }

    private mutating func delete() async throws {
        guard let index = status({ _ in true }) else { return }
        let post = model.posts[index]
        action = "user\(post.author) deletes \(post.id)"
        #expect(try await store.statuses.delete(id: post.id, by: people[post.author].account.id) != nil)
        model.end(index, at: store.clock.now)
    }

    private mutating func boost() async throws {
        let (booster, rules) = (person(), model)
        let boosted = Set(rules.posts.filter { $0.isAlive && $0.author == booster }.compactMap(\.original))
        guard let index = status({ $0.visibility.isPublicOrUnlisted && rules.sees(booster, $0) }),
            !boosted.contains(index)
        else { return }
        action = "user\(booster) boosts \(model.posts[index].id)"
        let boost = try await store.statuses.boost(
            model.posts[index].id, visibility: nil, by: people[booster].account.id)
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
        _ = try await store.statuses.unboost(model.posts[original].id, by: people[booster].account.id)
        model.end(index, at: store.clock.now)
    }

    private mutating func changeList() async throws {
        guard let id = model.lists.keys.sorted().randomElement(using: &random), let list = model.lists[id] else {
            return
        }
        let (member, owner) = (person(), people[list.owner].account.id)
        if list.members.contains(member) {
            action = "the list \(id) loses user\(member)"
            try await store.lists.remove([people[member].account.id], from: id, of: owner)
            model.lists[id]?.members.remove(member)
        } else if model.follows[Pair(from: list.owner, to: member)] != nil {
            action = "the list \(id) gets user\(member)"
            try await store.lists.add([people[member].account.id], to: id, of: owner)
            model.lists[id]?.members.insert(member)
        }
    }

    private mutating func relate() async throws {
        let pair = Pair(from: person(), to: person())
        guard pair.from != pair.to else { return }
        let (one, other) = (people[pair.from].account.id, people[pair.to].account.id)
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
