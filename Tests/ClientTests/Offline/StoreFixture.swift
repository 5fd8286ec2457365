import FeedAPI
import FeedTestSupport
import Foundation
import GRDB
import TestKit

@testable import FeedClientKit

/// A store in a folder of its own.
final class StoreFixture: Sendable {
    static let owner = "http://127.0.0.1 ada"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path + "/timelines.sqlite" }

    func open(owner: String = owner, _ limits: (inout StoreLimits) -> Void = { _ in }) throws -> OfflineStore {
        var chosen = StoreLimits()
        limits(&chosen)
        return try OfflineStore(folder: folder.path, owner: owner, limits: chosen)
    }

    /// Reads or changes the file without the client.
    func access<Value>(_ body: (GRDB.Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: path)
        let value = try queue.write(body)
        try queue.close()
        return value
    }

    /// A status, or a boost of one.
    static func entry(_ id: Int, _ content: String = "", boosting boosted: Int? = nil) throws -> TimelineEntry {
        var json = MediaServer.status("\(id)").replacing(#""content":"""#, with: #""content":"\#(content)""#)
        if let boosted { json = json.dropLast() + #","reblog":\#(MediaServer.status("\(boosted)"))}"# }
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
        return TimelineEntry(status: status, json: Array(json.utf8))
    }

    /// A part of a timeline.
    static func segment(
        _ ids: [Int], before: Int? = nil, since: Int? = nil, next: Int? = nil
    ) throws -> TimelineSegment {
        TimelineSegment(
            entries: try ids.map { try entry($0) },
            range: TimelineRange(before: before.map(String.init), since: since.map(String.init)),
            next: next.map(String.init))
    }
}

extension OfflineStore {
    /// The stored statuses as `id` and content; `|` follows where there is a gap.
    func contents(_ name: TimelineName = .public, in range: TimelineRange = TimelineRange()) async throws -> [String]? {
        try await statuses(of: name, count: 10_000, in: range).map { found in
            (found.startsWithGap ? ["|"] : [])
                + found.entries.map { $0.entry.status.id + $0.entry.status.content + ($0.hasGap ? "|" : "") }
        }
    }
}
