import FeedAPI
import FeedCore
import FeedStore
import Synchronization

/// The encoded statuses of timelines, kept until they change, so that a status which many viewers see is read and encoded
/// only once.
struct StatusTemplates: Sendable {
    struct Key: Hashable, Sendable {
        let base: String
        /// The id of a status or of a boost.
        let id: Int64
    }

    let statuses: StatusStore
    let contexts: EntityContexts
    let cache: ChangeLogCache<Key, StatusTemplate>
    let log: LogPosition
    let requested = RequestedStatuses()

    /// A page of a timeline, and its JSON.
    func page(
        _ timeline: Timeline, _ page: Pagination, base: String, viewer: Int64?, _ filters: ViewerFilters
    ) async throws -> (page: Page<ListedStatus>, json: JSONWriter) {
        let generation = log.generation
        let listed = try await statuses.timeline(timeline, page: page, for: viewer) { [cache] ids, position in
            // Filters search the texts of statuses, which templates do not contain.
            guard filters.filters.isEmpty else { return ids.map { _ in nil } }
            return cache.values(for: ids.map { Key(base: base, id: $0) }, at: position)
        }
        // After the page: when the emoji change, the log says so once they have been replaced.
        let entities = contexts.make(base: base)
        var json = JSONWriter(capacity: 2048 * (1 + listed.entries.count))
        json.array {
            for entry in listed.entries {
                switch entry.content {
                case .known(let template): $0.status(template, viewer.map { ViewerMarks(entry.marks, of: $0, []) })
                case .read(let read):
                    let marks = viewer.map { ViewerMarks(entry.marks, of: $0, filters.matches(read.status)) }
                    guard requested.insert(entry.id) else {
                        $0.status(read.status, entities, marks)
                        continue
                    }
                    let template = StatusTemplate(read.status, entities)
                    keep(template, Key(base: base, id: entry.id), at: read.position, generation)
                    $0.status(template, marks)
                }
            }
        }
        return (listed, json)
    }

    private func keep(_ template: StatusTemplate, _ key: Key, at position: Int64, _ generation: Int) {
        cache.insert(
            template, for: key, cost: template.cost + Self.overhead + key.base.utf8.count,
            ChangeDependencies(showing: [template.references], to: nil), at: position, generation: generation)
    }

    /// The memory of an entry in the cache and of what it depends on, in bytes.
    private static let overhead = 768
}

/// Statuses that were encoded recently. Only what is encoded again is kept: most statuses on old pages are not.
final class RequestedStatuses: Sendable {
    private static let slots = 4096

    private let ids = Mutex([Int64](repeating: 0, count: RequestedStatuses.slots))

    /// - Returns: Whether the id was inserted before, and no other one has taken its slot.
    func insert(_ id: Int64) -> Bool {
        // The lower bits of an id are a counter, which is 0 for most.
        let slot = Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 52)
        return ids.withLock { ids in
            defer { ids[slot] = id }
            return ids[slot] == id
        }
    }
}
