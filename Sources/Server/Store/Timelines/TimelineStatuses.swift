import FeedCore

/// The statuses that timelines show, of which most pages share many. What depends on the viewer is added for each page.
struct TimelineStatuses {
    typealias Cache = ChangeLogCache<Int64, Status>

    private let cache: Cache
    /// Taken before anything is read from the database.
    private let start: Cache.Start
    private let viewer: Int64?

    init(_ cache: Cache, viewer: Int64?) {
        (self.cache, self.viewer) = (cache, viewer)
        start = cache.start
    }

    /// The statuses of the entries, in their order. Those that are not cached are read in the same transaction.
    func statuses(of entries: [TimelineEntry], in db: Database) throws -> [Status] {
        let (cached, missing) = cache.known(entries.map(\.id))
        let read = try read(missing, in: db)
        return entries.compactMap { entry in
            guard var status = cached[entry.id] ?? read[entry.id] else { return nil }
            (status.pageID, status.marks) = (entry.pageID, entry.marks)
            status.isBoostedByViewer = entry.isBoostedByViewer
            return status
        }
    }

    private func read(_ ids: [Int64], in db: Database) throws -> [Int64: Status] {
        guard !ids.isEmpty else { return [:] }
        let candidates: SQL = "SELECT value, value FROM (\(ids: ids)) ids"
        var found: [Int64: Status] = [:]
        let query = StatusRow.query(candidates, order: "DESC", viewer: nil)
        for status in try StatusRow.read(query, for: viewer, in: db) { found[status.pageID] = status }
        // A poll contains the votes of the viewer.
        let shared = found.filter { $0.value.poll == nil }
        let values = shared.mapValues { ($0, ChangeDependencies(showing: [$0], to: nil)) }
        cache.insert(values, since: start) { $0.cost }
        return found
    }
}

extension Status {
    /// The approximate memory in bytes.
    fileprivate var cost: Int {
        let texts = [text, content, spoilerText, account.note, account.noteHTML]
        return 2000 + 500 * media.count + texts.reduce(0) { $0 + $1.utf8.count }
    }
}
