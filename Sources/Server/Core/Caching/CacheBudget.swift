/// The memory of all caches, and what each of them gets.
package struct CacheBudget: Sendable, Equatable {
    /// A cache, or several of one kind.
    package enum Share: String, CaseIterable, Sendable {
        case pages, html, statuses, homeAuthors, database, tokens, logins, files, pictures, filters

        /// The part of the budget, in 64ths.
        package var weight: Int {
            switch self {
            case .pages: 24
            case .html, .statuses: 7
            case .homeAuthors: 4
            case .database: 12
            case .tokens, .filters: 2
            case .logins, .files: 1
            case .pictures: 4
            }
        }
    }

    private static let weights = 64

    /// The memory of all caches in bytes.
    package let total: Int

    package init(total: Int) { self.total = max(0, total) }

    /// The memory of a cache in bytes.
    package subscript(share: Share) -> Int { total / Self.weights * share.weight }

    /// The memory in bytes for the pages that each of several connections to a SQLite file keeps. Each needs some to
    /// work well, however many there are.
    package func page(ofConnections count: Int) -> Int {
        max(Self.minimumConnection, self[.database] / max(1, count))
    }

    private static let minimumConnection = 1 << 20
}
