import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Searches for accounts, statuses and hashtags. Servers differ in what they search; many search statuses only for
    /// logged-in users. A feed server understands words, `wor*`, `"phrases"`, `-excluded` and operators such as
    /// `from:name`.
    /// - Parameters:
    ///   - query: The words to look for, `@name`, `#tag`, or the address of an account or a status.
    ///   - kind: The only kind of result to look for; `nil` for all.
    ///   - limit: The maximum number of results of each kind; most servers send at most 40.
    ///   - before: Only statuses older than the one with this id.
    /// - Throws: ``FeedClientError``.
    public func search(
        _ query: String, for kind: SearchKind? = nil, limit: Int = 20, before: String? = nil
    ) async throws -> SearchResults {
        // Only logged-in users may ask the server to search other servers.
        let resolves = credential?.accessToken == nil ? nil : "true"
        let parameters = [
            ("q", query), ("type", kind?.rawValue), ("limit", String(limit)), ("resolve", resolves),
            ("max_id", before),
        ]
        let response = try await transport.send(request(Paths.search, query: parameters))
        _ = try decode(AnyObject.self, response)
        return SearchResults(
            accounts: try results(.accounts, in: response), statuses: try statuses(in: response),
            hashtags: try results(.hashtags, in: response), older: response.links.nextMaxID,
            isIncomplete: response.headers.first(name: "Search-Incomplete")?.lowercased() == "true")
    }

    /// Searches page by page. The first page contains all kinds of results, the following ones older statuses.
    /// - Parameters:
    ///   - query: The words to look for, as in ``search(_:for:limit:before:)``.
    ///   - kind: The only kind of result to look for; `nil` for all.
    ///   - count: The maximum number of statuses, and of results of the other kinds on the first page.
    ///   - before: Only statuses older than the one with this id.
    ///   - onPage: Called for each page; returns whether to read on.
    /// - Throws: ``FeedClientError``.
    public func search(
        _ query: String, for kind: SearchKind? = nil, count: Int, before: String? = nil,
        onPage: (_ page: SearchResults) async throws -> Bool
    ) async throws {
        var (kind, before, remaining) = (kind, before, count)
        var (seen, cursors, pages) = (Set<String>(), PageCursors(before), 0)
        while remaining > 0, pages < Self.maximumPages {
            pages += 1
            let limit = min(remaining, Self.maximumResults)
            var page = try await search(query, for: kind, limit: limit, before: before)
            let isFull = page.statuses.count >= limit
            // Some servers ignore `max_id`, and send the same page again.
            page.statuses.removeAll { !seen.insert($0.status.id).inserted }
            guard try await onPage(page), kind ?? .statuses == .statuses else { return }
            // A page may end early where many candidates are hidden; only some servers send a link.
            let last = isFull || page.isIncomplete ? page.statuses.last?.status.id : nil
            guard let next = page.older ?? last, cursors.advance(to: next) else { return }
            (kind, before, remaining) = (.statuses, next, remaining - page.statuses.count)
        }
    }

    /// The number of results that most servers send at most.
    private static var maximumResults: Int { 40 }
    /// Ends a search whose server keeps sending pages.
    private static var maximumPages: Int { 1000 }

    /// Any JSON object.
    private struct AnyObject: Decodable {
        private enum Key: CodingKey {}

        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
    }

    private func statuses(in response: Response) throws -> [TimelineEntry] {
        try results(.statuses, in: response).map { (result: SearchResults.Result<Entity.Status>) in
            TimelineEntry(status: result.value, json: result.json)
        }
    }

    /// The elements of a list. Elements that cannot be decoded are reported.
    private func results<Value: Decodable & Sendable>(
        _ kind: SearchKind, in response: Response
    ) throws -> [SearchResults.Result<Value>] {
        guard let list = RawJSON.member(kind.rawValue, of: response.bytes), list.first == UInt8(ascii: "[") else {
            return []
        }
        let part = Response(headers: [:], body: ByteBuffer(bytes: list))
        return try elements(of: part, as: Value.self).compactMap { element in
            element.value.map { SearchResults.Result(value: $0, json: element.json) }
        }
    }
}

/// A kind of search result.
public enum SearchKind: String, Sendable, CaseIterable { case accounts, statuses, hashtags }

/// The results of a search, the best ones of each kind first.
public struct SearchResults: Sendable {
    /// A result, decoded and as the server sent it.
    public struct Result<Value: Sendable>: Sendable {
        public let value: Value
        /// The JSON object that the server sent; its members may have another order.
        public let json: [UInt8]
    }

    public let accounts: [Result<Entity.Account>]
    public internal(set) var statuses: [TimelineEntry]
    public let hashtags: [Result<Entity.Tag>]
    /// Older statuses are below this id, if the server says so.
    public let older: String?
    /// Whether the server says that there may be statuses that it did not find: it is still building its index, or there
    /// were too many candidates.
    public let isIncomplete: Bool

    /// Whether nothing was found.
    public var isEmpty: Bool { accounts.isEmpty && statuses.isEmpty && hashtags.isEmpty }
}
