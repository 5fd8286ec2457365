import FeedAPI
import FeedCore
import FeedTestSupport
import Testing

@testable import FeedStore

extension TestStore {
    /// Lets everyone find the public statuses of an account, or not.
    func setIndexable(_ account: Account, _ isIndexable: Bool = true) async throws {
        _ = try await accounts.update(account.id) { account in
            if isIndexable { account.privacy.insert(.indexable) } else { account.privacy.remove(.indexable) }
        }
    }

    /// The ids of statuses found, newest first.
    func found(_ query: ResolvedSearch, by viewer: Account?) async throws -> [Int64] {
        try await search.statuses(query, viewer: viewer?.id).statuses.map(\.id)
    }

    /// The ids of statuses with all words of a text, newest first.
    func found(_ text: String, by viewer: Account?) async throws -> [Int64] {
        try await found(ResolvedSearch(words: text), by: viewer)
    }
}

extension ResolvedSearch {
    /// All words of a text.
    init(words: String) {
        self.init(terms: SearchTokenizer.tokens(of: words).map { Term(.word($0)) })
    }

    func limited(to limit: Int, offset: Int = 0, below maxID: Int64? = nil) -> ResolvedSearch {
        var query = self
        (query.limit, query.offset, query.maxID) = (limit, offset, maxID)
        return query
    }
}

/// Accounts with every relationship to an author.
struct SearchWorld {
    let store: TestStore
    let author: Account
    /// By what they are to the author.
    let viewers: [String: Account]

    init(isIndexable: Bool = true) async throws {
        store = try TestStore()
        author = try await store.account("author")
        var viewers = ["author": author]
        for name in ["follower", "mentioned", "stranger", "blocked", "blocking", "muting"] {
            viewers[name] = try await store.account(name)
        }
        self.viewers = viewers
        if !isIndexable { try await store.setIndexable(author, false) }
        try await store.follows.follow(author.id, by: try viewer("follower").id)
        for name in ["blocked", "blocking", "muting"] {
            try await store.follows.follow(author.id, by: try viewer(name).id)
        }
        try await store.blocks.block(try viewer("blocked").id, by: author.id)
        try await store.blocks.block(author.id, by: try viewer("blocking").id)
        try await store.mutes.mute(author.id, by: try viewer("muting").id, Mute())
    }

    func viewer(_ name: String) throws -> Account { try #require(viewers[name]) }

    /// The names of those who find a status by a word, and `anonymous`.
    func finders(of word: String) async throws -> Set<String> {
        var finders: Set<String> = []
        for (name, viewer) in viewers where try await !store.found(word, by: viewer).isEmpty { finders.insert(name) }
        if try await !store.found(word, by: nil).isEmpty { finders.insert("anonymous") }
        return finders
    }
}
