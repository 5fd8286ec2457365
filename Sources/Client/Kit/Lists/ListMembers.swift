import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

extension FeedClient {
    private static let membersPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumPages = 1000

    /// The members of a list, from as many pages as necessary.
    /// - Throws: ``FeedClientError``.
    public func members(ofList id: String) async throws -> [Entity.Account] {
        var members: [Entity.Account] = []
        var maxID: String?
        for _ in 0..<Self.maximumPages {
            let query = [("limit", String(Self.membersPerPage)), ("max_id", maxID)]
            let response = try await transport.send(request(Self.membersPath(id), query: query))
            let page = try response.decode([Entity.Account].self)
            members += page
            guard response.links.next != nil, let last = page.last?.id, last != maxID else { break }
            maxID = last
        }
        return members
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
