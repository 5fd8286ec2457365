import FeedAPI
import FeedCore
import FeedStore
import Synchronization

/// The encoded statuses of timelines, kept until they change, so that a status which many viewers see is read and encoded
/// only once.
struct StatusJSONCache: Sendable {
    struct Key: Hashable, Sendable {
        let base: String
        /// The id of a status or of a boost.
        let id: Int64
    }

    let timelines: TimelineStore
    let contexts: EntityContexts
    let cache: ChangeLogCache<Key, StatusTemplate>
    let log: RecentChanges
    let requested = RequestedStatuses()

    /// A page of a timeline.
    /// - Parameters:
    ///   - sources: Where the statuses come from, read before the page.
    ///   - stale: The page before the newest changes.
    func page(
        _ timeline: Timeline, _ page: Pagination, base: String, viewer: Int64?, _ filters: ViewerFilters,
        sources: TimelineSources, stale: StalePage? = nil
    ) async throws -> EncodedPage {
        func dependencies(of found: Page<some ListedEntry>) -> CacheInvalidation {
            CacheInvalidation(found, of: timeline, page, sources: sources, viewer: viewer)
        }
        // Filters search the texts of statuses, which templates do not contain.
        guard filters.filters.isEmpty, requested.areRepeated else {
            let found = try await timelines.timeline(timeline, page: page, for: viewer)
            let json = json(of: found.entries, base, viewer, filters)
            return EncodedPage(found, json: json, dependencies: dependencies(of: found))
        }
        let generation = log.generation
        let found = try await listed(timeline, page, base: base, viewer: viewer, sources: sources, stale: stale)
        return EncodedPage(
            found, json: json(of: found.entries, base, viewer, generation), dependencies: dependencies(of: found),
            homeEntries: HomeEntries(found, of: timeline, page))
    }

    /// A page. Only statuses without a template are read.
    private func listed(
        _ timeline: Timeline, _ page: Pagination, base: String, viewer: Int64?, sources: TimelineSources,
        stale: StalePage?
    ) async throws -> Page<ListedStatus> {
        let known: KnownStatuses = { [cache] ids, position in
            cache.values(for: ids.map { Key(base: base, id: $0) }, at: position)
        }
        if let stale, let refreshed = try await refreshed(page, sources: sources, from: stale, known: known) {
            return refreshed
        }
        return try await timelines.timeline(timeline, page: page, for: viewer, known: known)
    }

    /// Encodes statuses without templates.
    private func json(of statuses: [Status], _ base: String, _ viewer: Int64?, _ filters: ViewerFilters) -> JSONWriter {
        _ = requested.insert(statuses.indices.map { statuses[$0].boost?.id ?? statuses[$0].id }, known: 0)
        // After the page: when the emoji change, the log says so once they have been replaced.
        let entities = contexts.make(base: base)
        var json = JSONWriter(capacity: 2048 * (1 + statuses.count))
        json.array {
            for index in statuses.indices {
                let marks = viewer.map { ViewerMarks(on: statuses[index], of: $0, filters.matches(statuses[index])) }
                $0.status(statuses[index], entities, marks)
            }
        }
        return json
    }

    private func json(
        of statuses: [ListedStatus], _ base: String, _ viewer: Int64?, _ generation: Int
    ) -> JSONWriter {
        let entities = contexts.make(base: base)
        let read = statuses.compactMap { if case .read = $0.content { $0.entry.id } else { nil } }
        let repeated = requested.insert(read, known: statuses.count - read.count)
        var json = JSONWriter(capacity: 2048 * (1 + statuses.count))
        json.array {
            for status in statuses {
                let marks = viewer.map { ViewerMarks(status.entry.marks, of: $0, []) }
                switch status.content {
                case .known(let template): $0.status(template, marks)
                case .read(let read) where repeated.contains(status.entry.id):
                    let template = StatusTemplate(read.status, entities)
                    keep(template, Key(base: base, id: status.entry.id), at: read.position, generation)
                    $0.status(template, marks)
                case .read(let read): $0.status(read.status, entities, marks)
                }
            }
        }
        return json
    }

    private func keep(_ template: StatusTemplate, _ key: Key, at position: Int64, _ generation: Int) {
        cache.insert(
            template, for: key, cost: template.cost + Self.overhead + key.base.utf8.count,
            CacheInvalidation(showing: [template.references], to: nil), at: position, generation: generation)
    }

    /// The memory of an entry in the cache and of what it depends on, in bytes.
    private static let overhead = 768
}

/// A page of a timeline as the API sends it.
struct EncodedPage: Sendable {
    let json: JSONWriter
    let dependencies: CacheInvalidation
    let homeEntries: HomeEntries?
    /// The page ids between which the statuses were read.
    let newest: Int64?
    let oldest: Int64?
    let hasOlder: Bool

    init(
        _ page: Page<some ListedEntry>, json: JSONWriter, dependencies: CacheInvalidation,
        homeEntries: HomeEntries? = nil
    ) {
        (self.json, self.dependencies, self.homeEntries) = (json, dependencies, homeEntries)
        (newest, oldest, hasOlder) = (page.newest, page.oldest, page.hasOlder)
    }
}

/// Statuses that were requested recently. Only what is requested again is kept: most statuses on old pages are not.
final class RequestedStatuses: Sendable {
    private struct State {
        var ids = [Int64](repeating: 0, count: 1 << RequestedStatuses.bits)
        /// The share of statuses that were requested before, among those of the last few pages.
        var share = 1.0
    }

    private static let bits = 12
    /// The weight of a page in the share.
    private static let weight = 1.0 / 16

    private let state = Mutex(State())

    /// Whether templates save more than looking for them costs.
    var areRepeated: Bool { state.withLock { $0.share > 0.5 } }

    /// Records the statuses of a page.
    /// - Parameter known: The number of further ones, of which there are templates.
    /// - Returns: The ids that were recorded before, unless others have taken their slots.
    func insert(_ ids: [Int64], known: Int) -> Set<Int64> {
        state.withLock { state in
            var repeated: Set<Int64> = []
            for id in ids {
                // The lower bits of an id are a counter, which is 0 for most.
                let slot = Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.bits))
                if state.ids[slot] == id { repeated.insert(id) } else { state.ids[slot] = id }
            }
            let count = ids.count + known
            guard count > 0 else { return repeated }
            state.share += (Double(repeated.count + known) / Double(count) - state.share) * Self.weight
            return repeated
        }
    }
}
