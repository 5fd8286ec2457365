import AsyncHTTPClient
public import FeedAPI
import Foundation

extension FeedClient {
    /// The relationship of this account to another one.
    /// - Parameter id: The id of the other account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such account.
    public func relationship(to id: String) async throws -> Entity.Relationship {
        let request = request(Paths.accounts + "/relationships", query: [("id[]", id)])
        let relationships = try await transport.send(request).decode([Entity.Relationship].self)
        guard let relationship = relationships.first else { throw FeedClientError(.notFound, "No such account") }
        return relationship
    }

    /// Changes the relationship to an account.
    /// - Parameter verb: The last component of the path.
    func relate(
        to id: String, _ verb: String, _ fields: [(String, String?)] = []
    ) async throws -> Entity.Relationship {
        let path = Paths.accounts + "/\(Self.percentEncoded(id))/" + verb
        return try await transport.send(formRequest(path, fields)).decode(Entity.Relationship.self)
    }
}

extension FeedClient {
    /// Follows or unfollows an account. An account that approves its followers is asked first; the relationship is then
    /// `requested`.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func follow(_ id: String, _ follows: Bool = true) async throws -> Entity.Relationship {
        try await relate(to: id, follows ? "follow" : "unfollow")
    }
}

extension FeedClient {
    /// Blocks or unblocks an account: neither sees the statuses of the other, nor follows it.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func block(_ id: String, _ blocks: Bool = true) async throws -> Entity.Relationship {
        try await relate(to: id, blocks ? "block" : "unblock")
    }

    /// Hides the statuses of an account from this account's timelines. The account is not told.
    /// - Parameters:
    ///   - seconds: How long; `nil` for until ``unmute(_:)``.
    ///   - hidesNotifications: Whether its notifications are hidden, too.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func mute(
        _ id: String, seconds: Int? = nil, hidesNotifications: Bool = true
    ) async throws -> Entity.Relationship {
        try await relate(
            to: id, "mute",
            [("duration", seconds.map(String.init)), ("notifications", String(hidesNotifications))])
    }

    /// Ends a mute.
    /// - Throws: ``FeedClientError``.
    @discardableResult public func unmute(_ id: String) async throws -> Entity.Relationship {
        try await relate(to: id, "unmute")
    }
}

extension FeedClient {
    private static let accountsPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumAccountPages = 1000

    /// Reads the accounts that ask to follow this account, from as many pages as necessary.
    /// - Parameter onPage: Receives the accounts of each page, before the next page is requested. Returns whether to read
    ///   on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readFollowRequests(onPage: (_ accounts: [Entity.Account]) async throws -> Bool) async throws {
        try await readAccounts(Paths.followRequests, onPage)
    }

    /// Reads the accounts that this account has muted, from as many pages as necessary.
    /// - Parameter onPage: As in ``readFollowRequests(onPage:)``.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readMuted(onPage: (_ accounts: [Entity.Account]) async throws -> Bool) async throws {
        try await readAccounts(Paths.mutes, onPage)
    }

    /// Reads the accounts that this account has blocked, from as many pages as necessary.
    /// - Parameter onPage: As in ``readFollowRequests(onPage:)``.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readBlocked(onPage: (_ accounts: [Entity.Account]) async throws -> Bool) async throws {
        try await readAccounts(Paths.blocks, onPage)
    }

    /// Reads the followers of an account, as far as it shows them, from as many pages as necessary.
    /// - Parameters:
    ///   - id: The id of the account.
    ///   - onPage: As in ``readFollowRequests(onPage:)``.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readFollowers(
        of id: String, onPage: (_ accounts: [Entity.Account]) async throws -> Bool
    ) async throws {
        try await readAccounts(Paths.accounts + "/\(Self.percentEncoded(id))/followers", onPage)
    }

    /// Reads the accounts that an account follows, as far as it shows them, from as many pages as necessary.
    /// - Parameters:
    ///   - id: The id of the account.
    ///   - onPage: As in ``readFollowRequests(onPage:)``.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readFollowing(
        of id: String, onPage: (_ accounts: [Entity.Account]) async throws -> Bool
    ) async throws {
        try await readAccounts(Paths.accounts + "/\(Self.percentEncoded(id))/following", onPage)
    }

    private func readAccounts(
        _ path: String, _ onPage: (_ accounts: [Entity.Account]) async throws -> Bool
    ) async throws {
        var cursors = PageCursors()
        var before: String?
        for _ in 0..<Self.maximumAccountPages {
            let query = [("limit", String(Self.accountsPerPage)), ("max_id", before)]
            let response = try await transport.send(request(path, query: query))
            let accounts = try elements(of: response, as: Entity.Account.self).compactMap(\.value)
            // The cursor is not the id of an account. A repeated one would lead to an endless loop.
            guard try await onPage(accounts), let next = response.links.nextMaxID,
                cursors.advance(to: next)
            else { return }
            before = next
        }
    }

    /// Accepts or rejects the request of an account to follow this account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such request.
    @discardableResult public func answerFollowRequest(
        of id: String, accepts: Bool
    ) async throws -> Entity.Relationship {
        let path = Paths.followRequests + "/" + Self.percentEncoded(id) + (accepts ? "/authorize" : "/reject")
        return try await transport.send(formRequest(path, [])).decode(Entity.Relationship.self)
    }
}

extension FeedClient {
    /// Reports an account to the moderators of this server.
    /// - Parameters:
    ///   - id: The id of the account.
    ///   - statuses: The ids of its statuses that the report is about.
    ///   - comment: What is wrong; most servers accept 1000 characters.
    ///   - category: `spam`, `legal`, `violation` or `other`; `nil` for the server's default.
    ///   - forwards: Whether to inform the server of the account, too, if it is another one.
    /// - Throws: ``FeedClientError``.
    public func report(
        _ id: String, statuses: [String] = [], comment: String = "", category: String? = nil, forwards: Bool = false
    ) async throws {
        let fields = [
            ("account_id", id), ("comment", comment), ("category", category), ("forward", forwards ? "true" : nil),
        ]
        _ = try await transport.send(formRequest(Paths.reports, fields + statuses.map { ("status_ids[]", $0) }))
    }
}
