import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

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
            let response = try await transport.send(request(Self.membersPath(id), query: query))
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
