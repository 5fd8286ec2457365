import AsyncHTTPClient
public import FeedAPI
import Foundation

extension FeedClient {
    private static let requestsPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumRequestPages = 100

    /// Reads the accounts that ask to follow this account, from as many pages as necessary.
    /// - Parameter onPage: Receives the accounts of each page, before the next page is requested. Returns whether to read
    ///   on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readFollowRequests(onPage: (_ accounts: [Entity.Account]) async throws -> Bool) async throws {
        var cursors = PageCursors()
        var before: String?
        for _ in 0..<Self.maximumRequestPages {
            let query = [("limit", String(Self.requestsPerPage)), ("max_id", before)]
            let response = try await transport.send(request(Paths.followRequests, query: query))
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
