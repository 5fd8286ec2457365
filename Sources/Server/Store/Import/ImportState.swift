import Crypto
import FeedCore
import Foundation
import GRDB

/// What one import knows: names to ids, numbers to statuses, and the counts it owes.
struct ImportState: Sendable {
    private struct Owed {
        var statuses = 0
        var followers = 0
        var following = 0
        var firstStatusAt: Int64?
        var lastStatusAt: Int64?
    }

    private struct Author {
        var id: Int64
        var username: String
        var isStaged: Bool
    }

    private struct Target {
        var id: Int64
        var accountID: Int64
        var isStaged: Bool
    }

    let importID: Int64
    let now: Int64
    private(set) var report = ImportReport()
    private var authors: [String: Author] = [:]
    private var targets: [Int: Target] = [:]
    private var owed: [Int64: Owed] = [:]
    /// Replies to statuses that were there before: counted when the import is published.
    private var owedReplies: [Int64: Int] = [:]
    /// Replies whose target stands further down in the file.
    private var early: [(reply: Int64, number: Int, line: Int)] = []

    init(importID: Int64, now: Int64) {
        self.importID = importID
        self.now = now
    }

    mutating func apply(_ record: ImportRecord, line: Int, in db: Database) throws {
        do {
            switch record {
            case .account(let account): try add(account, in: db)
            case .follow(let follow): try add(follow, in: db)
            case .status(let status): try add(status, line: line, in: db)
            }
        } catch let error as FeedError where error.kind != .storage {
            throw error.inLine(line)
        }
    }
}

extension ImportState {
    private mutating func add(_ record: ImportRecord.Account, in db: Database) throws {
        try Username.check(record.username)
        if try author(record.username, in: db) != nil {
            report.known += 1
            return
        }
        var new = NewAccount(username: record.username)
        new.displayName = String((record.display_name ?? "").prefix(100))
        new.city = String((record.city ?? "").prefix(100))
        new.note = record.note ?? ""
        new.email = record.email ?? ""
        new.role = record.role.flatMap(Account.Role.init) ?? .member
        let time = try record.created_at.map(pastTime) ?? now
        let id = try AccountStore.insert(new, createdAt: time, importID: importID, into: db)
        authors[Username.key(record.username)] = Author(id: id, username: record.username, isStaged: true)
        report.accounts += 1
    }

    private mutating func add(_ record: ImportRecord.Follow, in db: Database) throws {
        let follower = try requireAuthor(record.from, in: db)
        let followee = try requireAuthor(record.to, in: db)
        guard follower.id != followee.id else { throw FeedError.malformed("\(record.from) cannot follow themselves") }
        // An old list of follows does not undo a block.
        guard try !db.isBlocked(follower.id, followee.id) else {
            report.known += 1
            return
        }
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO follow (follower_id, followee_id, created_at, import_id) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [follower.id, followee.id, now, importID])
        guard db.changesCount > 0 else {
            report.known += 1
            return
        }
        owed[follower.id, default: Owed()].following += 1
        owed[followee.id, default: Owed()].followers += 1
        report.follows += 1
    }

    private mutating func add(_ record: ImportRecord.Status, line: Int, in db: Database) throws {
        let author = try requireAuthor(record.author, in: db)
        let time = try pastTime(record.created_at)
        var draft = try draft(from: record)
        let (key, known) = try importKey(of: draft, author: author.username, time: time, in: db)
        if let known {
            report.known += 1
            if let n = record.n { targets[n] = Target(id: known, accountID: author.id, isStaged: false) }
            return
        }
        let target = record.in_reply_to.flatMap { targets[$0] }
        draft.inReplyToID = target?.id
        let segments = TextParser.parse(draft.text)
        let rendered = TextRendering.render(segments, known: try mentioned(in: segments, db))
        let id = try statusID(at: time, in: db)
        try StatusStore.insert(
            PreparedStatus(
                accountID: author.id, draft: draft, rendered: rendered, inReplyToAccountID: target?.accountID),
            id: id, at: time, importID: importID, importKey: key, into: db)
        try note(target: target, of: record, reply: id, line: line, in: db)
        if let n = record.n { targets[n] = Target(id: id, accountID: author.id, isStaged: true) }
        owe(author.id, statusAt: time)
        report.statuses += 1
    }

    private func draft(from record: ImportRecord.Status) throws -> StatusDraft {
        guard record.text.utf8.count + (record.spoiler_text ?? "").utf8.count <= 100_000 else {
            throw FeedError.malformed("text is longer than 100,000 bytes")
        }
        // As in the API: without a text there must be media, and a line has no place for those.
        guard record.text.contains(where: { !$0.isWhitespace }) else {
            throw FeedError.malformed("text is blank; a status of media alone cannot be imported")
        }
        guard let visibility = Visibility(word: record.visibility ?? "public") else {
            throw FeedError.malformed("unknown visibility \"\((record.visibility ?? "").prefix(40))\"")
        }
        var draft = StatusDraft(text: record.text)
        draft.spoilerText = record.spoiler_text ?? ""
        draft.visibility = visibility
        draft.language = record.language.map { String($0.prefix(20)) }
        draft.source = String((record.source ?? "").prefix(100))
        return draft
    }

    private mutating func note(
        target: Target?, of record: ImportRecord.Status, reply: Int64, line: Int, in db: Database
    ) throws {
        guard let number = record.in_reply_to else { return }
        guard let target else {
            early.append((reply, number, line))
            return
        }
        try count(replyTo: target, in: db)
    }

    private mutating func count(replyTo target: Target, in db: Database) throws {
        if target.isStaged {
            try db.cachedStatement(sql: "UPDATE status SET replies_count = replies_count + 1 WHERE id = ?")
                .execute(arguments: [target.id])
        } else {
            owedReplies[target.id, default: 0] += 1
        }
    }

    private mutating func owe(_ account: Int64, statusAt time: Int64) {
        var entry = owed[account] ?? Owed()
        entry.statuses += 1
        entry.firstStatusAt = min(entry.firstStatusAt ?? time, time)
        entry.lastStatusAt = max(entry.lastStatusAt ?? time, time)
        owed[account] = entry
    }
}

extension ImportState {
    /// The rest of what nobody sees yet: late reply targets and the counts of new accounts.
    mutating func settleStaged(in db: Database) throws {
        for (reply, number, line) in early {
            guard let target = targets[number] else {
                throw FeedError.malformed("in_reply_to \(number) names no status of this file").inLine(line)
            }
            try db.execute(
                sql: "UPDATE status SET in_reply_to_id = ?, in_reply_to_account_id = ? WHERE id = ?",
                arguments: [target.id, target.accountID, reply])
            try count(replyTo: target, in: db)
        }
        early = []
        try settle(in: db) { $0.isStaged }
    }

    /// What others see changing in the moment the import becomes visible.
    mutating func settlePublished(in db: Database) throws {
        try settle(in: db) { !$0.isStaged }
        for (id, count) in owedReplies {
            try db.cachedStatement(sql: "UPDATE status SET replies_count = replies_count + ? WHERE id = ?")
                .execute(arguments: [count, id])
        }
    }

    private func settle(in db: Database, where chosen: (Author) -> Bool) throws {
        for author in authors.values where chosen(author) {
            guard let entry = owed[author.id] else { continue }
            try db.cachedStatement(
                sql: """
                    UPDATE account SET statuses_count = statuses_count + ?, followers_count = followers_count + ?,
                    following_count = following_count + ?, created_at = min(created_at, ifnull(?, created_at)),
                    last_status_at = nullif(max(ifnull(last_status_at, 0), ifnull(?, 0)), 0) WHERE id = ?
                    """
            ).execute(arguments: [
                entry.statuses, entry.followers, entry.following, entry.firstStatusAt, entry.lastStatusAt, author.id,
            ])
        }
    }
}

extension ImportState {
    private mutating func author(_ username: String, in db: Database) throws -> Author? {
        let key = Username.key(username)
        if let known = authors[key] { return known }
        guard let account = try AccountStore.find(db, username: username) else { return nil }
        let author = Author(id: account.id, username: account.username, isStaged: false)
        authors[key] = author
        return author
    }

    private mutating func requireAuthor(_ username: String, in db: Database) throws -> Author {
        guard let author = try author(username, in: db) else {
            throw FeedError.malformed("there is no account \"\(username.prefix(40))\"")
        }
        return author
    }

    private mutating func mentioned(in segments: [TextSegment], _ db: Database) throws -> [String: Status.Mention] {
        var found: [String: Status.Mention] = [:]
        for name in TextRendering.mentionedNames(in: segments) {
            if let author = try author(name, in: db) { found[name] = .init(id: author.id, username: author.username) }
        }
        return found
    }

    private func pastTime(_ text: String) throws -> Int64 {
        let time = try ImportRecord.time(text)
        guard time >= 0, time <= now else {
            throw FeedError.malformed("\"\(text.prefix(40))\" lies in the future or before 1970")
        }
        return time
    }

    /// The first free id of that millisecond, so that id order is time order.
    private func statusID(at time: Int64, in db: Database) throws -> Int64 {
        let first = time << 16
        let statement = try db.cachedStatement(sql: "SELECT max(id) FROM status WHERE id BETWEEN ? AND ?")
        let taken = try Int64.fetchOne(statement, arguments: [first, first | 0xFFFF])
        guard let taken else { return first }
        guard taken < first | 0xFFFF else { throw FeedError.malformed("more than 65,536 statuses in one millisecond") }
        return taken + 1
    }

    /// Tells a status again when its file is imported once more. Equal statuses within one file are numbered.
    /// - Returns: The key, and the id of the status if an earlier import has stored it.
    private func importKey(
        of draft: StatusDraft, author: String, time: Int64, in db: Database
    ) throws -> (key: [UInt8], known: Int64?) {
        let statement = try db.cachedStatement(sql: "SELECT id, import_id FROM status WHERE import_key = ?")
        var occurrence = 0
        while true {
            let parts = [
                Username.key(author), String(time), draft.visibility.word, draft.spoilerText, draft.text,
                String(occurrence),
            ]
            let key = Array(SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8)).prefix(16))
            guard let row = try Row.fetchOne(statement, arguments: [Data(key)]) else { return (key, nil) }
            guard row[1] == importID else { return (key, row[0]) }
            occurrence += 1
        }
    }
}
