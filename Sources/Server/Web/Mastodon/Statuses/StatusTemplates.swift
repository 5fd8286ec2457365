import FeedAPI
import FeedCore
import FeedStore

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
                let (template, matches) = template(of: entry, entities, filters, generation)
                $0.status(template, entry.marks, matches, viewer: viewer)
            }
        }
        return (listed, json)
    }

    private func template(
        of entry: ListedStatus, _ entities: EntityContext, _ filters: ViewerFilters, _ generation: Int
    ) -> (StatusTemplate, [FilterMatch]) {
        switch entry.content {
        case .known(let template): return (template, [])
        case .read(let status, let position):
            let template = StatusTemplate(status, entities)
            let key = Key(base: entities.base, id: entry.id)
            cache.insert(
                template, for: key, cost: template.cost + Self.overhead + key.base.utf8.count,
                ChangeDependencies(showing: [template.references], to: nil), at: position, generation: generation)
            return (template, filters.matches(status))
        }
    }

    /// The memory of an entry in the cache and of what it depends on, in bytes.
    private static let overhead = 768
}
