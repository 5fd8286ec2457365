import FeedCore
import Foundation

/// Finds trends in the database, and stores them as one of its settings, since all servers show the same ones.
package struct TrendStore: Sendable {
    private static let key = "trends"
    /// The number of hashtags read per day.
    private static let maximumTags = 200
    /// The number of statuses read per query, and of queries.
    private static let batch = 500
    private static let maximumQueries = 10
    /// The age in milliseconds beyond which a status does not trend.
    private static let maximumAge = 3 * TagUse.milliseconds

    /// The stored form of the trends.
    private struct Trends: Codable, Sendable {
        var tags: [String] = []
        var statuses: [Int64] = []
    }

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Recomputes the trends.
    package func refresh() async throws {
        let trends = Trends(tags: try await findTags(), statuses: try await findStatuses())
        let text = String(decoding: try JSONEncoder().encode(trends), as: UTF8.self)
        guard try await database.meta(Self.key) != text else { return }
        try await database.setMeta(Self.key, text)
    }

    /// The keys of the trending hashtags, most used first.
    package func tags() async throws -> [String] { try await stored().tags }

    /// The ids of trending statuses, most liked first. Some may have been deleted or hidden since.
    package func statuses() async throws -> [Int64] { try await stored().statuses }

    private func stored() async throws -> Trends {
        guard let text = try await database.meta(Self.key) else { return Trends() }
        return (try? JSONDecoder().decode(Trends.self, from: Data(text.utf8))) ?? Trends()
    }
}

extension TrendStore {
    private func findTags() async throws -> [String] {
        let today = TagUse.day(at: database.clock.now())
        return try await database.read { db in
            var uses: [(tag: String, accounts: Int)] = []
            for day in [today, today - 1] {
                uses += try db.fetchAll(Self.tagQuery(day)).map { try ($0[0], $0[1]) }
            }
            var tags: [String] = []
            for tag in TrendRanking.tags(uses) where tags.count < TrendRanking.maximum {
                if try SearchStore.isPublic(tag, in: db) { tags.append(tag) }
            }
            return tags
        }
    }

    static func tagQuery(_ day: Int64) -> SQL {
        "SELECT tag, accounts FROM tag_day WHERE day = \(day) ORDER BY accounts DESC LIMIT \(maximumTags)"
    }

    /// The most liked ones among the newest public statuses, in short reads.
    private func findStatuses() async throws -> [Int64] {
        let oldest = max(database.clock.now() - Self.maximumAge, 0) << 16
        var before = Int64.max
        var best: [TrendRanking.Candidate] = []
        for _ in 0..<Self.maximumQueries {
            let query = Self.statusQuery(after: oldest, before: before)
            let batch = try await database.read { db in
                try db.fetchAll(query).map { row in
                    (status: try TrendRanking.Candidate(id: row[0], interactions: row[1]), mayTrend: try row[2] == 1)
                }
            }
            let candidates = best + batch.filter(\.mayTrend).map(\.status)
            let kept = Set(TrendRanking.statuses(candidates))
            best = candidates.filter { kept.contains($0.id) }
            guard batch.count == Self.batch, let last = batch.last else { break }
            before = last.status.id
        }
        return TrendRanking.statuses(best)
    }

    /// The newest public statuses, and whether each may trend: as in Mastodon, no replies, nothing sensitive, and nothing
    /// of accounts that do not want to be discovered.
    static func statusQuery(after oldest: Int64, before newest: Int64) -> SQL {
        """
        SELECT s.id, s.favourites_count + s.reblogs_count,
        CASE WHEN s.in_reply_to_id IS NULL AND s.sensitive = 0 AND a.discoverable = 1 THEN 1 ELSE 0 END
        FROM status s CROSS JOIN account a ON a.id = s.account_id
        WHERE s.visibility = 0 AND s.boost_of_id IS NULL AND s.id > \(oldest) AND s.id < \(newest)
        ORDER BY s.id DESC LIMIT \(batch)
        """
    }
}
