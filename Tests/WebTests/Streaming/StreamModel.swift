import FeedCore

/// The events that readers of streams must receive, by the rules and without a database. People are numbered; `nil` is
/// an anonymous visitor.
struct StreamModel {
    /// An entry of the log, with the position of the post.
    enum Event {
        case created(Int), edited(Int), deleted(Int), boosted(Int), unboosted(Int)
        case notified(Notice, number: Int)
    }

    private(set) var happened: [Event] = []
    var posts: [Post] = []
    /// The times of the follows.
    var follows: [Pair: Int64] = [:]
    var blocks: Set<Pair> = []
    var mutes: Set<Pair> = []
    var lists: [Int64: List] = [:]
    var followedTags: [Int: Set<String>] = [:]
    /// The notifications that exist, with the numbers of their latest events.
    private var notices: [Notice: Int] = [:]
    /// For each person, the positions of the statuses that it could see at some time.
    private var everSeen: [Int?: Set<Int>] = [:]

    /// The kinds of the rows of the log that have happened after a number of events.
    func kinds(after count: Int) -> [Change.Kind] { happened[count...].map(\.kind) }

    /// Whether a person could see the status that contains a word at some time.
    func hasSeen(_ word: String, _ viewer: Int?) -> Bool {
        let number = word.dropFirst("word".count).prefix { $0 != "v" }
        return Int(number).map { everSeen[viewer]?.contains($0) ?? false } ?? false
    }

    mutating func noteWhatIsSeen(by viewers: [Int?]) {
        for viewer in viewers {
            let seen = posts.indices.filter { posts[$0].isAlive && sees(viewer, posts[$0]) }
            everSeen[viewer, default: []].formUnion(seen)
        }
    }
}

// What people do.
extension StreamModel {
    mutating func add(_ post: Post) {
        posts.append(post)
        let index = posts.count - 1
        happened.append(post.original == nil ? .created(index) : .boosted(index))
        if let original = post.original {
            notify(Notice(recipient: posts[original].author, sender: post.author, kind: "reblog", post: original))
        }
        // In the order of the text.
        for mentioned in post.mentions.sorted() {
            notify(Notice(recipient: mentioned, sender: post.author, kind: "mention", post: index))
        }
    }

    mutating func edit(_ index: Int, word: String, tags: Set<String>, mentions: Set<Int>) {
        let (author, new) = (posts[index].author, mentions.subtracting(posts[index].mentions))
        (posts[index].word, posts[index].tags, posts[index].mentions) = (word, tags, mentions)
        posts[index].everMentioned.formUnion(mentions)
        happened.append(.edited(index))
        for one in new.sorted() { notify(Notice(recipient: one, sender: author, kind: "mention", post: index)) }
        for boost in posts.reversed() where boost.isAlive && boost.original == index {
            notify(Notice(recipient: boost.author, sender: author, kind: "update", post: index))
        }
    }

    mutating func end(_ index: Int, at now: Int64) {
        posts[index].isAlive = false
        posts[index].deletedAt = now
        let post = posts[index]
        posts[index].witnesses = post.everMentioned.filter { !blocks.contains(Pair(from: post.author, to: $0)) }
        if let original = post.original {
            happened.append(.unboosted(index))
            let recipient = posts[original].author
            notices[Notice(recipient: recipient, sender: post.author, kind: "reblog", post: original)] = nil
        } else {
            happened.append(.deleted(index))
            notices = notices.filter { $0.key.post != index }
            for boost in posts.indices where posts[boost].original == index { posts[boost].isAlive = false }
        }
    }

    mutating func follow(_ pair: Pair, at now: Int64) {
        follows[pair] = now
        notify(Notice(recipient: pair.to, sender: pair.from, kind: "follow"))
    }

    mutating func unfollow(_ pair: Pair) {
        guard follows.removeValue(forKey: pair) != nil else { return }
        notices[Notice(recipient: pair.to, sender: pair.from, kind: "follow")] = nil
        for list in lists.keys where lists[list]?.owner == pair.from { lists[list]?.members.remove(pair.to) }
    }

    mutating func block(_ pair: Pair) {
        guard blocks.insert(pair).inserted else { return }
        for ended in [pair, pair.turned] { unfollow(ended) }
        notices = notices.filter { $0.key.recipient != pair.from || $0.key.sender != pair.to }
    }

    private mutating func notify(_ notice: Notice) {
        guard notice.recipient != notice.sender, accepts(notice.recipient, notice.sender) else { return }
        // Only a further edit notifies again.
        guard notices[notice] == nil || notice.kind == "update" else { return }
        notices[notice] = happened.count
        happened.append(.notified(notice, number: happened.count))
    }
}

// The rules.
extension StreamModel {
    /// Whether a person may see a post that exists.
    func sees(_ viewer: Int?, _ post: Post) -> Bool {
        guard admits(viewer, post) else { return false }
        return post.original.map { posts[$0].isAlive && admits(viewer, posts[$0]) } ?? true
    }

    private func admits(_ viewer: Int?, _ post: Post) -> Bool {
        guard let viewer else { return post.visibility.isPublicOrUnlisted }
        guard !blocks.contains(Pair(from: post.author, to: viewer)) else { return false }
        if post.visibility.isPublicOrUnlisted || post.author == viewer { return true }
        return post.visibility == .followers && follows(viewer, post.author) || post.everMentioned.contains(viewer)
    }

    private func follows(_ viewer: Int, _ other: Int) -> Bool { follows[Pair(from: viewer, to: other)] != nil }

    /// Whether neither blocks the other, and the viewer does not mute the other.
    private func accepts(_ viewer: Int, _ other: Int) -> Bool {
        let pair = Pair(from: viewer, to: other)
        return blocks.isDisjoint(with: [pair, pair.turned]) && !mutes.contains(pair)
    }

    /// Whether a status is part of timelines with statuses of all accounts.
    private func isListed(_ post: Post, _ viewer: Int?) -> Bool {
        guard sees(viewer, post) else { return false }
        guard let viewer else { return true }
        return [post.author, post.parent, post.original.map { posts[$0].author }].compactMap(\.self)
            .allSatisfy { accepts(viewer, $0) }
    }

    private func isOnHome(_ post: Post, _ viewer: Int) -> Bool {
        guard admits(viewer, post) else { return false }
        let isTagged = !post.tags.isDisjoint(with: followedTags[viewer] ?? [])
        guard isByFollowed(post, viewer) || isTagged && post.visibility == .public && isListed(post, viewer)
        else { return false }
        return isFirstBoost(post, viewer) { _ in true } && !isRepetition(post, viewer)
    }

    /// Whether a boost follows a status of followed people within 40 entries, or is the viewer's own.
    private func isRepetition(_ boost: Post, _ viewer: Int) -> Bool {
        guard let original = boost.original.map({ posts[$0] }), isByFollowed(original, viewer) else { return false }
        let between = posts.filter { $0.isAlive && $0.id > original.id && $0.id < boost.id }
        return boost.author == viewer
            || between.count {
                ($0.author == viewer || follows(viewer, $0.author)) && $0.visibility != .direct
                    && ($0.parent == nil || $0.parent == $0.author || $0.parent == viewer)
            } < 40
    }

    /// Whether a post is the viewer's own, or of a followed person and no reply to somebody else.
    private func isByFollowed(_ post: Post, _ viewer: Int) -> Bool {
        func isFollowed(_ other: Int) -> Bool { follows(viewer, other) && accepts(viewer, other) }
        guard admits(viewer, post) else { return false }
        let isReplyWanted = post.parent.map { $0 == viewer || isFollowed($0) } ?? true
        return post.author == viewer || isFollowed(post.author) && isReplyWanted
    }

    private func isOnList(_ post: Post, _ list: List) -> Bool {
        let owner = list.owner
        guard list.members.contains(post.author), admits(owner, post), accepts(owner, post.author),
            post.visibility != .direct
        else { return false }
        if let parent = post.parent, parent != post.author, parent != owner {
            guard list.members.contains(parent), accepts(owner, parent) else { return false }
        }
        return isFirstBoost(post, owner, among: list.members.contains)
    }

    /// Whether a post is no boost, or the first one of a wanted status by an account whose boosts the viewer receives.
    private func isFirstBoost(_ post: Post, _ viewer: Int, among isBooster: (Int) -> Bool) -> Bool {
        guard let original = post.original else { return true }
        func isShown(_ booster: Int) -> Bool { booster == viewer || follows(viewer, booster) }
        guard isShown(post.author), sees(viewer, post), accepts(viewer, posts[original].author) else { return false }
        return !posts.contains {
            $0.isAlive && $0.original == original && $0.id < post.id && isShown($0.author)
                && accepts(viewer, $0.author) && isBooster($0.author)
        }
    }

    /// Whether a viewer could see a post before it was deleted.
    private func couldSee(_ viewer: Int?, _ post: Post) -> Bool {
        guard let viewer else { return post.visibility.isPublicOrUnlisted }
        guard !blocks.contains(Pair(from: post.author, to: viewer)) else { return false }
        if let original = post.original { return posts[original].isAlive && admits(viewer, posts[original]) }
        if post.visibility.isPublicOrUnlisted || post.author == viewer { return true }
        let since = follows[Pair(from: viewer, to: post.author)] ?? .max
        return post.visibility == .followers && since <= post.deletedAt || post.witnesses.contains(viewer)
    }

    /// Whether a viewer's conversation ends with a direct status.
    private func endsConversation(_ index: Int, _ viewer: Int) -> Bool {
        let post = posts[index]
        let last = posts.lastIndex {
            $0.isAlive && $0.visibility == .direct && $0.root == post.root
                && ($0.author == viewer || $0.everMentioned.contains(viewer))
        }
        return last == index && isListed(post, viewer)
    }
}

// What readers receive.
extension StreamModel {
    /// The events that a reader of a stream receives after the first ones, with the positions of their causes.
    func events(from start: Int, on stream: StreamName, for viewer: Int?) -> [(index: Int, text: String)] {
        happened[start...].indices.compactMap { index in
            text(of: happened[index], on: stream, for: viewer).map { (index, $0) }
        }
    }

    private func text(of event: Event, on stream: StreamName, for viewer: Int?) -> String? {
        switch event {
        case .created(let index), .boosted(let index): shown("update", index, stream, viewer)
        case .edited(let index): shown("status.update", index, stream, viewer)
        case .deleted(let index), .unboosted(let index):
            wasOn(stream, posts[index], viewer) ? "delete \(posts[index].id)" : nil
        case .notified(let notice, let number): text(of: notice, number, stream, viewer)
        }
    }

    private func shown(_ name: String, _ index: Int, _ stream: StreamName, _ viewer: Int?) -> String? {
        let post = posts[index]
        guard post.isAlive else { return nil }
        let word = posts[post.original ?? index].word
        guard stream != .direct else {
            guard let viewer, post.visibility == .direct, endsConversation(index, viewer) else { return nil }
            return "conversation \(post.id) \(word)"
        }
        return isOn(stream, post, viewer) ? "\(name) \(post.id) \(word)" : nil
    }

    private func isOn(_ stream: StreamName, _ post: Post, _ viewer: Int?) -> Bool {
        let isPublic = post.visibility == .public && post.original == nil
        return switch stream {
        case .user: viewer.map { isOnHome(post, $0) } ?? false
        case .list(let id): lists[id].map { isOnList(post, $0) } ?? false
        case .public, .publicLocal: isPublic && isListed(post, viewer)
        case .hashtag(let tag), .hashtagLocal(let tag):
            isPublic && isListed(post, viewer) && post.tags.contains(tag)
        default: false
        }
    }

    private func wasOn(_ stream: StreamName, _ post: Post, _ viewer: Int?) -> Bool {
        guard couldSee(viewer, post) else { return false }
        let isPublic = post.visibility == .public && post.original == nil
        return switch stream {
        case .user, .list: true
        case .direct: post.visibility == .direct
        case .public, .publicLocal: isPublic
        case .hashtag(let tag), .hashtagLocal(let tag): isPublic && post.tags.contains(tag)
        default: false
        }
    }

    private func text(of notice: Notice, _ number: Int, _ stream: StreamName, _ viewer: Int?) -> String? {
        guard stream == .user || stream == .userNotification, let viewer, viewer == notice.recipient,
            notices[notice] == number, accepts(viewer, notice.sender)
        else { return nil }
        let words = ["notification", notice.kind, "user\(notice.sender)"]
        guard let post = notice.post else { return words.joined(separator: " ") }
        guard sees(viewer, posts[post]) else { return nil }
        return (words + [posts[post].word]).joined(separator: " ")
    }
}

extension StreamModel.Event {
    fileprivate var kind: Change.Kind {
        switch self {
        case .created: .statusCreated
        case .edited: .statusEdited
        case .deleted: .statusDeleted
        case .boosted: .boosted
        case .unboosted: .unboosted
        case .notified: .notified
        }
    }
}
