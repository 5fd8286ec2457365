package import FeedCore

extension StatusStore {
    /// Deletes a status, or undoes a boost, on behalf of the operator.
    /// - Parameter id: The id of a status by any account, regardless of its visibility.
    /// - Returns: The deleted status, or `nil` if the id is unknown.
    package func remove(id: Int64) async throws -> Status? {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            guard let status = try Self.read(db, ids: [id], for: nil, where: "1 = 1")[id] else { return nil }
            if let boost = status.boost {
                try Self.removeBoost(
                    boost.id, of: status, by: boost.account.id, wasHidden: boost.account.suspendedAt != nil, at: now,
                    in: db)
            } else {
                try MediaStore.removeAll(of: status.id, in: db)
                try Self.remove(status, at: now, in: db)
            }
            return status
        }
    }
}
