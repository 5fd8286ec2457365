import Crypto
import FeedCore
import Foundation

extension ImportState {
    /// The first free id in the millisecond of `time`, so that statuses sorted by id are sorted by time.
    func statusID(at time: Int64, in db: Database) throws -> Int64 {
        let first = time << 16
        let statement = try db.cachedStatement(sql: "SELECT max(id) FROM status WHERE id BETWEEN ? AND ?")
        let taken = try Int64.fetchOne(statement, arguments: [first, first | 0xFFFF])
        guard let taken else { return first }
        guard taken < first | 0xFFFF else { throw FeedError.malformed("more than 65,536 statuses in one millisecond") }
        return taken + 1
    }

    /// A key that identifies a status when its file is imported again. Equal statuses within a file are numbered.
    /// - Returns: The key, and the id of the status if an earlier import has stored it.
    func importKey(
        of draft: StatusDraft, author: String, time: Int64, in db: Database
    ) throws -> (key: [UInt8], known: Int64?) {
        let statement = try db.cachedStatement(sql: "SELECT id, import_id FROM status WHERE import_key = ?")
        var occurrence = 0
        while true {
            let parts = [
                Username.key(author), String(time), draft.visibility.apiName, draft.spoilerText, draft.text,
                String(occurrence),
            ]
            let key = Array(SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8)).prefix(16))
            guard let row = try Row.fetchOne(statement, arguments: [Data(key)]) else { return (key, nil) }
            guard row[1] == importID else { return (key, row[0]) }
            occurrence += 1
        }
    }
}
