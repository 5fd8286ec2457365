import FeedCore
import FeedStore
import HTTPTypes

/// Decides who may read a stream.
struct StreamAccess: Sendable {
    let tokens: TokenStore
    let lists: ListStore

    /// Whether a subscriber's token is still valid and belongs to the same account as before. Looks it up like that of a
    /// request, which usually needs no query, because each new stream asks; ``invalid(_:)`` decides the same for many
    /// tokens, few of which are cached.
    func isValid(_ subscriber: StreamSubscriber) async throws -> Bool {
        guard let token = subscriber.token else { return true }
        switch try await tokens.holder(hash: token) {
        case .account(let viewer): return viewer.account.id == subscriber.account
        case .application: return subscriber.account == nil
        case .suspended, .pending, nil: return false
        }
    }

    /// The subscribers whose tokens are invalid or now belong to another account. One query checks many tokens.
    func invalid(_ subscribers: [StreamSubscriber]) async throws -> [StreamSubscriber] {
        let hashes = Set(subscribers.compactMap(\.token))
        guard !hashes.isEmpty else { return [] }
        let valid = try await tokens.valid(among: hashes)
        return subscribers.filter { subscriber in
            guard let token = subscriber.token else { return false }
            return valid[token] != .some(subscriber.account)
        }
    }

    /// - Throws: ``FeedError`` if a caller may not read a stream: as ``Access``, and `.notFound` for a list of another
    ///   account.
    func check(to stream: StreamName, _ caller: Caller) async throws {
        if let scope = stream.scope {
            try Access.account(scope).check(caller)
        } else {
            try Access.optional(.readStatuses).check(caller)
        }
        guard case .list(let id) = stream, let viewer = caller.viewer else { return }
        guard try await lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
    }
}
