import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// The lists of this account.
    /// - Throws: ``FeedClientError``.
    public func lists() async throws -> [Entity.List] { try await lists(nil) }

    private func lists(_ policy: CachePolicy?) async throws -> [Entity.List] {
        try await transport.send(request(Paths.lists), policy).decode([Entity.List].self)
    }

    /// The list of this account with a title, in any letter case if that is unambiguous, or with an id.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if there is none, and `.usage` if several have the title.
    public func list(named name: String) async throws -> Entity.List { try await list(named: name, nil) }

    /// - Parameter policy: How the cache is used; a list that is not found there is asked for.
    func list(named name: String, _ policy: CachePolicy?) async throws -> Entity.List {
        do { return try await match(name, in: lists(policy)) } catch let error as FeedClientError
            where error.code == .notFound && policy != nil
        {
            return try await match(name, in: lists())
        }
    }

    private func match(_ name: String, in lists: [Entity.List]) throws -> Entity.List {
        let exact = lists.filter { $0.title == name }
        let matches = exact.isEmpty ? lists.filter { $0.title.lowercased() == name.lowercased() } : exact
        guard matches.count <= 1 else {
            throw FeedClientError(
                .usage, "You have several lists called \"\(name)\"",
                hint: "Use one of their ids: " + matches.map(\.id).joined(separator: ", "))
        }
        guard let list = matches.first ?? lists.first(where: { $0.id == name }) else {
            throw FeedClientError(
                .notFound, "You have no list called \"\(name)\"", hint: "feedclient lists shows your lists.")
        }
        return list
    }

    /// Creates a list.
    /// - Parameters:
    ///   - repliesPolicy: `none`, `list` or `followed`; `nil` for the server's default.
    ///   - exclusive: Whether the home timeline leaves out the members.
    /// - Throws: ``FeedClientError``.
    public func createList(
        _ title: String, repliesPolicy: String? = nil, exclusive: Bool = false
    ) async throws -> Entity.List {
        let request = formRequest(
            Paths.lists,
            [("title", title), ("replies_policy", repliesPolicy), ("exclusive", exclusive ? "true" : nil)])
        return try await transport.send(request).decode(Entity.List.self)
    }

    /// Deletes a list.
    /// - Throws: ``FeedClientError``.
    public func deleteList(_ id: String) async throws {
        var request = request(Paths.lists + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        _ = try await transport.send(request)
    }
}

extension FeedClient {
    private static let membersPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumPages = 1000

    /// Reads the members of a list, from as many pages as necessary.
    /// - Parameter onPage: Receives the members of each page, before the next page is requested. Returns whether to read
    ///   on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readMembers(
        ofList id: String, onPage: (_ members: [Entity.Account]) async throws -> Bool
    ) async throws {
        var cursors = PageCursors()
        var maxID: String?
        for _ in 0..<Self.maximumPages {
            let query = [("limit", String(Self.membersPerPage)), ("max_id", maxID)]
            let response: Response
            do {
                response = try await transport.send(request(Self.membersPath(id), query: query))
            } catch let error as FeedClientError where maxID != nil && error.cause is MissingResponse {
                // Without a network, there is only the first page.
                return
            }
            let page = try response.decode([Entity.Account].self)
            // The cursor may be the id of the membership instead of the account's.
            guard try await onPage(page), response.links.next != nil, !page.isEmpty,
                let next = response.links.nextMaxID ?? page.last?.id, cursors.advance(to: next)
            else { return }
            maxID = next
        }
    }

    /// Adds accounts to a list. This account must follow them.
    /// - Throws: ``FeedClientError``.
    public func add(_ accounts: [String], toList id: String) async throws {
        _ = try await transport.send(formRequest(Self.membersPath(id), accounts.map { ("account_ids[]", $0) }))
    }

    /// Removes accounts from a list.
    /// - Throws: ``FeedClientError``.
    public func remove(_ accounts: [String], fromList id: String) async throws {
        var request = formRequest(Self.membersPath(id), accounts.map { ("account_ids[]", $0) })
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    private static func membersPath(_ id: String) -> String { Paths.lists + "/" + percentEncoded(id) + "/accounts" }
}
