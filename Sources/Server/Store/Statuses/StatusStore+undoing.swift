import FeedCore

extension StatusStore {
    /// A status on which an account undoes an action, which remains possible when the account can no longer see the
    /// status. Only for the change itself; responses contain ``Status/redacted``.
    /// - Parameter isOwn: Whether the account has performed the action.
    static func statusToUndo(
        _ db: Database, id: Int64, by account: Int64, where isOwn: (Status) throws -> Bool
    ) throws -> Status? {
        let found = try read(db, ids: [id], for: account, where: "1 = 1")[id]
        return try found.flatMap { try isOwn($0) ? $0 : nil }
    }

    /// The status as an account sees it after undoing an action.
    static func statusAfterUndo(_ db: Database, id: Int64, by account: Int64) throws -> Status {
        if let seen = try find(db, id: id, for: account) { return seen }
        guard let left = try statusToUndo(db, id: id, by: account, where: { _ in true }) else {
            throw FeedError.notFound
        }
        return left.redacted
    }
}
