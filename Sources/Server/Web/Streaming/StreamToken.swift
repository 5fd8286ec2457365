import FeedAPI
import FeedCore
import HTTPTypes

extension Services {
    /// The token of a request. For a stream, it may also be part of the query or, for a WebSocket, the name of the
    /// subprotocol, because browsers cannot set the Authorization header of either.
    static func token(of request: Request) -> String? {
        if let token = bearer(request) { return token }
        guard request.uri.path.utf8.starts(with: Paths.streaming.utf8) else { return nil }
        let query = (try? request.query)?["access_token"]
        return [query, subprotocol(of: request)].compactMap(\.self).first { !$0.isEmpty }
    }

    /// The subprotocol that a client of a WebSocket asks for, which the response must repeat.
    static func subprotocol(of request: Request) -> String? {
        guard WebSocketUpgrade.isRequested(by: request) else { return nil }
        let first = request.headers[.webSocketProtocol]?.utf8.split(separator: UInt8(ascii: ",")).first
        return first.map { String(Substring($0.drop { $0 == UInt8(ascii: " ") })) }
    }

    /// Whether a subscriber's token is still valid and belongs to the same account as before. Looks it up like that of a
    /// request, which usually needs no query, because each new stream asks; ``invalid(_:)`` decides the same for many
    /// tokens, few of which are cached.
    func isValid(_ subscriber: StreamSubscriber) async throws -> Bool {
        guard let token = subscriber.token else { return true }
        switch try await stores.tokens.holder(hash: token) {
        case .account(let viewer): return viewer.account.id == subscriber.account
        case .application: return subscriber.account == nil
        case .suspended, .pending, nil: return false
        }
    }

    /// The subscribers whose tokens are invalid or now belong to another account. One query checks many tokens.
    func invalid(_ subscribers: [StreamSubscriber]) async throws -> [StreamSubscriber] {
        let hashes = Set(subscribers.compactMap(\.token))
        guard !hashes.isEmpty else { return [] }
        let valid = try await stores.tokens.valid(among: hashes)
        return subscribers.filter { subscriber in
            guard let token = subscriber.token else { return false }
            return valid[token] != .some(subscriber.account)
        }
    }

    /// - Throws: ``FeedError`` if a caller may not read a stream: as ``Access``, and `.notFound` for a list of another
    ///   account.
    func checkAccess(to stream: StreamName, _ caller: Caller) async throws {
        if let scope = stream.scope {
            try Access.account(scope).check(caller)
        } else {
            try Access.optional(.readStatuses).check(caller)
        }
        guard case .list(let id) = stream, let viewer = caller.viewer else { return }
        guard try await stores.lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
    }
}
