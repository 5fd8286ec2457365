import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOHTTP1

extension FeedClient {
    private static let maximumPages = 5

    /// Searches the statuses of this account for a post whose outcome is unknown.
    /// - Parameters:
    ///   - mediaIDs: The ids of its uploaded media files.
    ///   - since: The time of the first attempt by the clock of this machine, in milliseconds since 1970.
    ///   - clock: The clock of this machine, to determine how far ahead the server's clock is.
    /// - Returns: `nil` if the status is not found; it may exist nevertheless.
    /// - Throws: ``FeedClientError``, except if the server does not permit the search.
    func postedStatus(
        like post: OutboxPost, mediaIDs: [String], since: Int64, clock: @Sendable () -> Int64
    ) async throws -> SchedulingResult? {
        do {
            // Connecting and retries may take minutes, which do not mean that the server's clock is ahead.
            var now = clock()
            let response = try await transport.send(request(Paths.verifyCredentials)) { now = clock() }
            let account = try response.decode(Entity.Account.self)
            let date = response.headers.first(name: "Date").flatMap { HTTPDate.seconds($0) }
            // The year has at most four digits.
            let ahead = date.map { ($0 * 1000).subtractingSaturating(now) }
            let search = PostedStatusMatch(post, mediaIDs: mediaIDs, since: since.addingSaturating(ahead ?? 0))
            if post.scheduledAt != nil, let scheduled = try await scheduledStatuses().first(where: search.matches) {
                return .scheduled(scheduled)
            }
            return try await posted(search, by: account.id).map { .posted($0) }
        } catch let error as FeedClientError where error.isPermanent {
            return nil
        }
    }

    private func posted(_ search: PostedStatusMatch, by account: String) async throws -> TimelineEntry? {
        var oldest: String?
        for _ in 0..<Self.maximumPages {
            let query = [
                ("limit", String(Self.statusesPerPage)), ("exclude_reblogs", "true"), ("max_id", oldest),
            ]
            let path = Paths.accounts + "/" + Self.percentEncoded(account) + "/statuses"
            let page = try elements(
                of: try await transport.send(request(path, query: query)), as: Entity.Status.self)
            if let match = page.first(where: { $0.value.map(search.matches) ?? false }), let status = match.value {
                return TimelineEntry(status: status, json: match.json)
            }
            guard let last = page.last, let id = last.id, id != oldest, last.value.map(search.isRecent) ?? true else {
                return nil
            }
            oldest = id
        }
        return nil
    }
}
