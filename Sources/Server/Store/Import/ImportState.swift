import Crypto
import FeedCore
import Foundation

/// The state of an import: account ids by username, statuses by number, and counts that have not been written yet.
struct ImportState: Sendable {
    struct Author {
        var id: Int64
        var username: String
        var isStaged: Bool
    }

    struct Target {
        var id: Int64
        var accountID: Int64
        var isStaged: Bool
    }

    let importID: Int64
    let now: Int64
    let limits: MediaLimits
    var report = ImportReport()
    /// The files that new records name, in the order of the lines, until they are taken.
    var files: [ImportFile] = []
    var authors: [String: Author] = [:]
    var targets: [Int: Target] = [:]
    var counts = ImportCounts()
    /// The parents of staged replies whose parent precedes them in the file.
    var parents: [Int64: Int64] = [:]
    /// Replies that precede their parent in the file.
    var early: [PendingReply] = []
    /// The number of `early` replies already linked to their parent.
    var linked = 0
    /// The direct statuses that have not been added to conversations yet.
    var direct: [Int64] = []
    /// The direct statuses of conversations that exist already, which change when the import is published.
    var answers: [Int64] = []
    /// Recent public statuses with hashtags, whose uses are counted after the import has been published.
    var tagged: [Int64] = []
    /// The days of hashtags that have been counted.
    var counted: Set<TagDay> = []
    /// The number of replies settled per transaction.
    static let step = 500
    /// The number of statuses whose hashtags are counted per transaction.
    static let tagStep = 100

    init(importID: Int64, now: Int64, limits: MediaLimits) {
        self.importID = importID
        self.now = now
        self.limits = limits
    }

    mutating func apply(_ record: ImportRecord, line: Int, in db: Database) throws {
        do {
            switch record {
            case .account(let account): try add(account, line: line, in: db)
            case .follow(let follow): try add(follow, in: db)
            case .status(let status): try add(status, line: line, in: db)
            }
        } catch let error as FeedError where error.kind != .storage {
            throw error.atLine(line)
        }
    }
}

extension ImportState {
    private mutating func add(_ record: ImportRecord.Account, line: Int, in db: Database) throws {
        try Username.check(record.username)
        if try author(record.username, in: db) != nil {
            report.known += 1
            return
        }
        if let other = try AccountStore.find(db, username: record.username, staged: true) {
            throw try Self.unusable(other, in: db)
        }
        var new = NewAccount(username: record.username)
        new.displayName = String((record.display_name ?? "").prefix(100))
        new.city = String((record.city ?? "").prefix(Limits.cityCharacters))
        new.note = record.note ?? ""
        new.email = try email(of: record, in: db)
        new.role = try role(of: record)
        let time = try record.created_at.map(pastTime) ?? now
        let id = try AccountStore.insert(new, createdAt: time, importID: importID, into: db)
        authors[Username.key(record.username)] = Author(id: id, username: record.username, isStaged: true)
        try notePictures(of: record, id, line: line)
        report.accounts += 1
    }

    /// The address, with which only this account can log in; it may be empty.
    private func email(of record: ImportRecord.Account, in db: Database) throws -> String {
        guard let email = record.email, !email.isEmpty else { return "" }
        guard RegistrationForm.isEmailAddress(email) else {
            throw FeedError.malformed("\"\(email.prefix(80))\" is not an email address")
        }
        try AccountStore.requireFree(email: email, in: db)
        return email
    }

    private func role(of record: ImportRecord.Account) throws -> Account.Role {
        guard let role = Account.Role(rawValue: record.role ?? Account.Role.member.rawValue) else {
            throw FeedError.malformed("unknown role \"\((record.role ?? "").prefix(40))\"")
        }
        return role
    }

    private mutating func add(_ record: ImportRecord.Follow, in db: Database) throws {
        let follower = try requireAuthor(record.from, in: db)
        let followee = try requireAuthor(record.to, in: db)
        guard follower.id != followee.id else { throw FeedError.malformed("\(record.from) cannot follow themselves") }
        // An import does not override a block.
        guard try !db.isBlocked(follower.id, followee.id) else {
            report.known += 1
            return
        }
        try db.execute(
            """
            INSERT INTO follow (follower_id, followee_id, created_at, import_id)
            VALUES (\(follower.id), \(followee.id), \(now), \(importID))
            ON CONFLICT DO NOTHING
            """)
        guard try db.changesCount > 0 else {
            report.known += 1
            return
        }
        counts.addFollow(from: follower.id, to: followee.id)
        report.follows += 1
    }

    private mutating func add(_ record: ImportRecord.Status, line: Int, in db: Database) throws {
        let author = try requireAuthor(record.author, in: db)
        let time = try pastTime(record.created_at)
        var draft = try draft(from: record)
        let (key, imported) = try importKey(of: draft, author: author.username, time: time, in: db)
        if let imported {
            report.known += 1
            if let n = record.n { targets[n] = Target(id: imported, accountID: author.id, isStaged: false) }
            return
        }
        let target = record.in_reply_to.flatMap { targets[$0] }
        draft.inReplyToID = target?.id
        let segments = StatusTextParser.parse(draft.text)
        let rendered = StatusHTML.render(segments, known: try mentioned(in: segments, db))
        let id = try statusID(at: time, in: db)
        try StatusStore.insert(
            PreparedStatus(
                accountID: author.id, draft: draft, rendered: rendered, inReplyToAccountID: target?.accountID),
            id: id, at: time, importID: importID, importKey: key, into: db)
        try noteMedia(of: record, id, by: author.id, line: line)
        try note(target: target, of: record, reply: id, draft.visibility, line: line, in: db)
        if let n = record.n { targets[n] = Target(id: id, accountID: author.id, isStaged: true) }
        counts.addStatus(by: author.id, at: time, draft.visibility)
        if draft.visibility == .direct { direct.append(id) }
        let isRecent = TagUse.day(ofStatus: id) > TagUse.day(at: now) - TagHistory.days
        if draft.visibility == .public, isRecent, !rendered.tags.isEmpty { tagged.append(id) }
        report.statuses += 1
    }

    private func draft(from record: ImportRecord.Status) throws -> StatusDraft {
        guard record.text.utf8.count + (record.spoiler_text ?? "").utf8.count <= 100_000 else {
            throw FeedError.malformed("text is longer than 100,000 bytes")
        }
        // As in the API.
        guard record.media?.isEmpty == false || record.text.contains(where: { !$0.isWhitespace }) else {
            throw FeedError.malformed("text is blank; a status without text needs media")
        }
        guard let visibility = Visibility(apiName: record.visibility ?? "public") else {
            throw FeedError.malformed("unknown visibility \"\((record.visibility ?? "").prefix(40))\"")
        }
        var draft = StatusDraft(text: record.text)
        draft.spoilerText = record.spoiler_text ?? ""
        draft.visibility = visibility
        draft.language = record.language.map { String($0.prefix(20)) }
        draft.source = String((record.source ?? "").prefix(100))
        draft.sensitive = record.sensitive ?? false
        return draft
    }

    private mutating func note(
        target: Target?, of record: ImportRecord.Status, reply: Int64, _ visibility: Visibility, line: Int,
        in db: Database
    ) throws {
        guard let number = record.in_reply_to else { return }
        guard let target else {
            early.append(PendingReply(id: reply, visibility: visibility, target: number, line: line))
            return
        }
        if target.isStaged { parents[reply] = target.id }
        try count(visibility, replyTo: target, in: db)
    }

    mutating func count(_ visibility: Visibility, replyTo target: Target, in db: Database) throws {
        guard visibility.isPublicOrUnlisted else { return }
        if target.isStaged {
            try db.execute("UPDATE status SET replies_count = replies_count + 1 WHERE id = \(target.id)")
        } else {
            counts.addReply(to: target.id)
        }
    }
}

extension ImportState {
    private mutating func author(_ username: String, in db: Database) throws -> Author? {
        let key = Username.key(username)
        if let author = authors[key] { return author }
        guard let account = try AccountStore.find(db, username: username), account.removedAt == nil else { return nil }
        guard try !RegistrationStore.isPending(account.id, in: db) else { return nil }
        let author = Author(id: account.id, username: account.username, isStaged: false)
        authors[key] = author
        return author
    }

    private mutating func requireAuthor(_ username: String, in db: Database) throws -> Author {
        if let author = try author(username, in: db) { return author }
        if let other = try AccountStore.find(db, username: username) { throw try Self.unusable(other, in: db) }
        throw FeedError.malformed("no account named \"\(username.prefix(40))\"")
    }

    /// An account that exists but cannot be imported to.
    private static func unusable(_ account: Account, in db: Database) throws -> FeedError {
        let name = "the account \"\(account.username)\""
        guard try RegistrationStore.isPending(account.id, in: db) else {
            return .malformed(name + " has been removed, and its name stays taken")
        }
        return .malformed(name + " awaits approval; approve or reject it first")
    }

    private mutating func mentioned(in segments: [TextSegment], _ db: Database) throws -> [String: Status.Mention] {
        var mentions: [String: Status.Mention] = [:]
        for name in StatusHTML.mentionedNames(in: segments) {
            if let author = try author(name, in: db) {
                mentions[name] = .init(id: author.id, username: author.username)
            }
        }
        return mentions
    }

    private func pastTime(_ text: String) throws -> Int64 {
        let time = try ImportRecord.time(text)
        guard time >= 0, time <= now else {
            throw FeedError.malformed("\"\(text.prefix(40))\" is in the future or before 1970")
        }
        return time
    }
}

extension ImportState {
    /// The first free id in the millisecond of `time`, so that statuses sorted by id are sorted by time.
    func statusID(at time: Int64, in db: Database) throws -> Int64 {
        let first = time << 16
        let query: SQL = "SELECT max(id) FROM status WHERE id BETWEEN \(first) AND \(first | 0xFFFF)"
        let taken = try db.fetchOne(query, as: Int64.self)
        guard let taken else { return first }
        guard taken < first | 0xFFFF else { throw FeedError.malformed("more than 65,536 statuses in one millisecond") }
        return taken + 1
    }

    /// A key that identifies a status when its file is imported again. Equal statuses within a file are numbered.
    /// - Returns: The key, and the id of the status if an earlier import has stored it.
    func importKey(
        of draft: StatusDraft, author: String, time: Int64, in db: Database
    ) throws -> (key: [UInt8], known: Int64?) {
        var occurrence = 0
        while true {
            let parts = [
                Username.key(author), String(time), draft.visibility.apiName, draft.spoilerText, draft.text,
                String(occurrence),
            ]
            let key = Array(SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8)).prefix(16))
            let query: SQL = "SELECT id, import_id FROM status WHERE import_key = \(Data(key))"
            guard let row = try db.fetchOne(query) else { return (key, nil) }
            guard try row[1] == importID else { return try (key, row[0]) }
            occurrence += 1
        }
    }
}
