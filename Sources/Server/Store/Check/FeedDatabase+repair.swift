import FeedCore

extension FeedDatabase {
    /// Corrects what a check has found.
    /// - Parameters:
    ///   - found: What has to be corrected.
    ///   - batch: The number of elements that are corrected per transaction, so that posting remains possible.
    ///   - correct: Corrects some elements.
    func repair<Element: Sendable>(
        _ found: [Element], batch: Int = 200,
        _ correct: @escaping @Sendable (ArraySlice<Element>, Database) throws -> Void
    ) async throws {
        let now = clock.now()
        for some in found.chunks(of: batch) {
            try await commits.write { db in
                try correct(some, db)
                // Pages that show what was wrong are no longer valid.
                try db.log(.imported, at: now)
            }
        }
    }
}
