import FeedCore
import GRDB

extension StatusStore {
    /// A status for an account to take back what it did with it: that stays its own when it may not see the status any more.
    /// What is returned is for the work only; an answer holds ``Status/redacted`` of it.
    /// - Parameter isOwn: Whether there is something of the account's to take back.
    static func unseen(
        _ db: Database, id: Int64, by account: Int64, where isOwn: (Status) throws -> Bool
    ) throws -> Status? {
        let found = try read(db, ids: [id], for: account, where: "1 = 1")[id]
        return try found.flatMap { try isOwn($0) ? $0 : nil }
    }

    /// How a status looks to an account that has taken something back from it.
    static func after(_ db: Database, id: Int64, by account: Int64) throws -> Status {
        if let seen = try find(db, id: id, for: account) { return seen }
        guard let left = try unseen(db, id: id, by: account, where: { _ in true }) else { throw FeedError.notFound }
        return left.redacted
    }
}
