import FeedAPI
import FeedClientKit
import FeedTerminal

/// Sources that are no timelines.
extension ReaderLoader {
    /// The number of entries that are read to find those below the first page: servers have no ids for a place in them.
    private static let maximumEntries = 400

    func loadNotifications(resumes: Bool) async throws {
        async let resumed: Void = resumes ? loadPosition(.notifications) : ()
        let store = try OfflineTimelines(try global.session()).statuses()
        if let id = try? await store.readPosition(.notifications) { send(.position(.notifications, id)) }
        let start = ContinuousClock.now
        let list = try await read { try await $0.notifications(count: Self.page) }
        await resumed
        send(.loaded(.notifications, list.compactMap { items.item($0) }, since: start))
    }

    func loadConversations() async throws {
        let list = try await read { try await $0.conversations(Self.page) }
        send(.loaded(.conversations, list.map { items.item($0) }))
    }

    func loadOutbox() async throws {
        let entries = try await GlobalOptions.outbox.entries()
        send(.loaded(.outbox, entries.reversed().map { items.item($0) }))
    }

    /// Reads from the server, or else what it sent the last time.
    private func read<Value: Sendable>(_ body: (FeedClient) async throws -> Value) async throws -> Value {
        do {
            let value = try await global.use(body)
            send(.offline(nil))
            return value
        } catch let error as FeedClientError where error.isTemporary {
            guard let stored = try? await global.use(policy: .cacheOnly, body) else { throw error }
            send(.offline(error.message))
            return stored
        }
    }

    // MARK: Search

    func search(_ text: String) async throws {
        do {
            let page = try await global.use { try await $0.search(text, limit: Self.page) }
            send(.loaded(.search(text), items.items(page)))
            send(.offline(nil))
        } catch let error as FeedClientError where error.isTemporary {
            send(.offline(error.message))
            send(.loaded(.search(text), try await searchStored(text, before: nil)))
        }
    }

    private func searchStored(_ text: String, before id: String?) async throws -> [ReaderItem] {
        let session = try global.session()
        let found = try await OfflineTimelines(session).search(text, count: Self.stored, before: id, session)
        return items.items(found)
    }

    // MARK: Further entries

    /// - Parameter id: The last entry that is known.
    func olderEntries(_ source: ReaderSource, after id: String) async throws -> [ReaderItem] {
        switch source {
        case .notifications:
            let list = try await global.use { try await $0.notifications(count: Self.maximumEntries) }
            return list.drop { $0.id != id }.dropFirst().compactMap { items.item($0) }
        case .conversations:
            let list = try await global.use { try await $0.conversations(Self.maximumEntries) }
            return list.drop { $0.conversation.id != id }.dropFirst().map { items.item($0) }
        // What is above the statuses has no id.
        case .search(let text) where StatusKey(id) != nil:
            let page = try await global.use {
                try await $0.search(text, for: .statuses, limit: Self.page, before: id)
            }
            return items.items(page.statuses)
        default: return []
        }
    }

    // MARK: Accounts

    /// The account of a profile, above its statuses.
    func loadAccount(_ name: String) async {
        guard let session = try? global.session() else { return }
        do {
            let (account, relationship) = try await global.use { client in
                let account = try await client.account(named: name)
                let isOther = session.login.map { $0.username.lowercased() != account.acct.lowercased() } ?? false
                return (account, isOther ? try await client.relationship(to: account.id) : nil)
            }
            send(.pinned(.profile(name), items.item(account, relationship)))
        } catch {
            let stored = try? await OfflineTimelines(session).statuses().account(named: name)
            if let account = stored?.account { send(.pinned(.profile(name), items.item(account, nil))) }
        }
    }

    /// The lists, hashtags and logins to choose from: those in what is stored, and then those of the server.
    func loadChoices() async {
        guard let session = try? global.session() else { return }
        let logins = ((try? global.logins()) ?? []).filter { !$0.isClassic }
        let accounts = logins.map { "\($0.username)@\(OutboxAccount($0).host)" }
        let names = await OfflineTimelines(session).names()
        let stored = names.lists.map { ReaderSource.list($0) } + names.tags.map { .tag($0) }
        send(.choices(sources: stored, accounts: accounts))
        guard session.login != nil else { return }
        let sources = try? await global.use { client in
            let lists = try await client.lists().map { ReaderSource.list($0.title) }
            return lists + (try await client.followedTags().map { .tag($0.name) })
        }
        guard let sources else { return }
        send(.choices(sources: sources + stored.filter { !sources.contains($0) }, accounts: accounts))
    }

    /// Loads the limits and defaults of a new status.
    func loadDefaults() async {
        try? await global.use { client in
            let characters = try await client.instance().details.limits.characters
            send(.defaults(visibility: nil, characters: characters))
            guard try global.session().login != nil else { return }
            send(.defaults(visibility: try await client.profile().profile.source?.privacy, characters: characters))
        }
    }
}

extension FeedClient {
    fileprivate func conversations(_ count: Int) async throws -> [ConversationEntry] {
        var list: [ConversationEntry] = []
        try await readConversations(count: count) { page in
            list += page
            return true
        }
        return list
    }
}

extension ReaderSource {
    /// The timeline that the source shows; `nil` for other sources.
    var timeline: TimelineName? {
        switch self {
        case .home: .home
        case .local: .local
        case .public: .public
        case .bookmarks: .bookmarks
        case .favourites: .favourites
        case .list(let name): .list(name)
        case .tag(let name): .tag(name)
        case .profile(let name): .account(name)
        case .notifications, .conversations, .outbox, .search: nil
        }
    }

    /// The position in the source that the account's devices share, if there is one.
    var readPosition: ReadPosition? {
        switch self {
        case .home: .home
        case .notifications: .notifications
        default: nil
        }
    }
}

extension ReaderReaction {
    var action: StatusAction {
        switch self {
        case .favourite: .favourite
        case .boost: .boost
        case .bookmark: .bookmark
        }
    }
}
