package import FeedCore

extension StatusStore {
    /// Deletes a status, or undoes a boost, on behalf of the operator.
    /// - Parameter id: The id of a status by any account, regardless of its visibility.
    /// - Returns: The deleted status, or `nil` if the id is unknown.
    package func remove(id: Int64) async throws -> Status? {
        try await withoutDependents { now, db in
            guard let status = try Self.read(db, ids: [id], for: nil, where: "1 = 1")[id] else { return .deleted(nil) }
            if let boost = status.boost {
                try Self.removeBoost(
                    boost.id, of: status, by: boost.account.id, wasHidden: boost.account.suspendedAt != nil, at: now,
                    in: db)
            } else {
                guard try !StatusDependents(status: id, now: now, db: db).deleteSome() else { return .isPopular }
                try MediaStore.removeAll(of: status.id, in: db)
                try Self.remove(status, at: now, in: db)
            }
            return .deleted(status)
        }
    }
}
