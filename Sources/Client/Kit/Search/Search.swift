import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Searches for accounts, statuses and hashtags. Servers differ in what they search; many search statuses only for
    /// logged-in users.
    /// - Parameters:
    ///   - query: The words to look for, `@name`, `#tag`, or the address of an account or a status.
    ///   - kind: The only kind of result to look for; `nil` for all.
    ///   - limit: The maximum number of results of each kind; most servers send at most 40.
    /// - Throws: ``FeedClientError``.
    public func search(_ query: String, for kind: SearchKind? = nil, limit: Int = 20) async throws -> SearchResults {
        // Only logged-in users may ask the server to search other servers.
        let resolves = credential == nil ? nil : "true"
        let parameters = [
            ("q", query), ("type", kind?.rawValue), ("limit", String(limit)), ("resolve", resolves),
        ]
        let response = try await transport.send(request(Paths.search, query: parameters))
        let lists = try Self.members(of: response)
        return SearchResults(
            accounts: try results(.accounts, lists), statuses: try statuses(lists),
            hashtags: try results(.hashtags, lists))
    }

    /// The lists in the response, by their kind.
    private static func members(of response: Response) throws(FeedClientError) -> [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
        guard let members = object as? [String: Any] else {
            throw FeedClientError(
                .failed, "The server's response could not be understood",
                hint: "Check whether this is the address of a feed server.")
        }
        return members
    }

    private func statuses(_ lists: [String: Any]) throws -> [TimelineEntry] {
        try results(.statuses, lists).map { (result: SearchResults.Result<Entity.Status>) in
            TimelineEntry(status: result.value, json: result.json)
        }
    }

    /// The elements of a list. Elements that cannot be decoded are reported.
    private func results<Value: Decodable & Sendable>(
        _ kind: SearchKind, _ lists: [String: Any]
    ) throws -> [SearchResults.Result<Value>] {
        guard let list = lists[kind.rawValue] as? [Any] else { return [] }
        let data = try JSONSerialization.data(withJSONObject: list, options: [.sortedKeys, .withoutEscapingSlashes])
        let response = Response(headers: [:], body: ByteBuffer(bytes: data))
        return try elements(of: response, as: Value.self).compactMap { element in
            element.value.map { SearchResults.Result(value: $0, json: element.json) }
        }
    }
}
