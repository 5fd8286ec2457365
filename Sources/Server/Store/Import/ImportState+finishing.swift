import FeedCore

/// The steps after all lines have been read, and the publication of the import.
extension ImportState {
    /// Completes some of the staged rows: first replies that precede their parents, then the counts of new accounts.
    /// Each step is short, so that posting remains possible.
    /// - Returns: Whether more steps remain.
    mutating func completeBatch(in db: Database) throws -> Bool {
        if linked < early.count {
            for reply in early[linked...].prefix(Self.step) { try link(reply, in: db) }
            linked += Self.step
            return true
        }
        guard early.isEmpty else {
            // In reverse order, since each parent follows its reply in the file and must join the conversation first.
            for reply in early.suffix(Self.step).reversed() { try reply.join(target(of: reply).id, in: db) }
            early.removeLast(min(Self.step, early.count))
            return true
        }
        guard direct.isEmpty else {
            for id in direct.suffix(Self.step) where try db.stageConversations(of: id) { answers.append(id) }
            direct.removeLast(min(Self.step, direct.count))
            return true
        }
        try moveIntoPlace(areStaged: true, in: db)
        return false
    }

    /// Counts some of the hashtags, after the import has been published: each day as a whole, because an author may have
    /// used a hashtag more than once.
    /// - Returns: Whether more remain.
    mutating func countTags(in db: Database) throws -> Bool {
        guard !tagged.isEmpty else { return false }
        let query: SQL = """
            SELECT DISTINCT t.tag, (t.status_id >> 16) / \(sql: String(TagUse.milliseconds)) AS day FROM status_tag t
            WHERE t.status_id IN (\(ids: Array(tagged.suffix(Self.tagStep)))) AND t.visibility = 0
            """
        for key in try db.fetchAll(query).map({ try TagDay(tag: $0[0], day: $0[1]) }) where !counted.contains(key) {
            try db.recount(key)
            counted.insert(key)
        }
        tagged.removeLast(min(Self.tagStep, tagged.count))
        return !tagged.isEmpty
    }

    private mutating func link(_ reply: PendingReply, in db: Database) throws {
        let target = try target(of: reply)
        try reply.link(to: target.id, of: target.accountID, in: db)
        try count(reply.visibility, replyTo: target, in: db)
    }

    /// Checks that early replies have a parent in the file and form no cycle, and that all files have been taken.
    /// - Throws: ``FeedError`` `.malformed`.
    func checkTargets() throws {
        if let file = files.first { throw FeedError.malformed("\(file.path) has not been processed").atLine(file.line) }
        var parents = parents
        for reply in early { parents[reply.id] = try target(of: reply).id }
        var ending: Set<Int64> = []
        for reply in early {
            var (path, next) = ([reply.id], parents[reply.id])
            var seen: Set<Int64> = [reply.id]
            while let id = next, !ending.contains(id) {
                guard seen.insert(id).inserted else {
                    throw FeedError.malformed("the replies form a cycle").atLine(reply.line)
                }
                path.append(id)
                next = parents[id]
            }
            ending.formUnion(path)
        }
    }

    private func target(of reply: PendingReply) throws(FeedError) -> Target {
        if let target = targets[reply.target] { return target }
        throw FeedError.malformed("in_reply_to \(reply.target) is not in this file").atLine(reply.line)
    }

    /// Writes the counts and references that become visible to others when the import is published.
    mutating func finishPublishing(in db: Database) throws {
        try moveIntoPlace(areStaged: false, in: db)
        try counts.writeReplies(in: db)
        for id in answers { try db.addImported(id) }
    }

    private func moveIntoPlace(areStaged: Bool, in db: Database) throws {
        for author in authors.values where author.isStaged == areStaged {
            try counts.write(for: author.id, isNew: areStaged, in: db)
        }
    }
}

/// A reply that precedes its parent in an imported file. It is stored as an ordinary status until the parent is known.
struct PendingReply: Sendable {
    let id: Int64
    let visibility: Visibility
    /// The parent's number in the file.
    let target: Int
    let line: Int

    func link(to target: Int64, of account: Int64, in db: Database) throws {
        try db.execute(
            "UPDATE status SET in_reply_to_id = \(target), in_reply_to_account_id = \(account) WHERE id = \(id)")
    }

    /// Merges the conversation that begins with this reply into the parent's.
    func join(_ target: Int64, in db: Database) throws {
        let conversation = try db.conversation(of: target)
        for column in ["id", "conversation_id"] {
            try db.execute("UPDATE status SET conversation_id = \(conversation) WHERE \(sql: column) = \(id)")
        }
    }
}

/// The changes that an import makes to the counts of accounts and of existing statuses. They are collected while rows
/// are staged and written at the end, so that they do not become visible early.
struct ImportCounts: Sendable {
    private struct Delta {
        var statuses = 0
        var followers = 0
        var following = 0
        var firstStatusAt: Int64?
        var lastStatusAt: Int64?
    }

    private var accounts: [Int64: Delta] = [:]
    private var replies: [Int64: Int] = [:]

    mutating func addFollow(from follower: Int64, to followee: Int64) {
        accounts[follower, default: Delta()].following += 1
        accounts[followee, default: Delta()].followers += 1
    }

    mutating func addStatus(by account: Int64, at time: Int64, _ visibility: Visibility) {
        var entry = accounts[account] ?? Delta()
        entry.firstStatusAt = min(entry.firstStatusAt ?? time, time)
        if visibility.affectsStatusCount {
            entry.statuses += 1
            entry.lastStatusAt = max(entry.lastStatusAt ?? time, time)
        }
        accounts[account] = entry
    }

    mutating func addReply(to status: Int64) { replies[status, default: 0] += 1 }

    func writeReplies(in db: Database) throws {
        for (id, count) in replies {
            try db.execute("UPDATE status SET replies_count = replies_count + \(count) WHERE id = \(id)")
        }
    }

    /// - Parameter isNew: Whether the import has created the account, which is then at least as old as its first status.
    func write(for account: Int64, isNew: Bool, in db: Database) throws {
        guard let entry = accounts[account] else { return }
        let firstStatusAt = isNew ? entry.firstStatusAt : nil
        try db.execute(
            """
            UPDATE account SET statuses_count = statuses_count + \(entry.statuses),
            followers_count = followers_count + \(entry.followers),
            following_count = following_count + \(entry.following),
            created_at = CASE WHEN \(firstStatusAt) < created_at THEN \(firstStatusAt) ELSE created_at END,
            last_status_at = CASE WHEN last_status_at >= \(entry.lastStatusAt)
                OR CAST(\(entry.lastStatusAt) AS BIGINT) IS NULL THEN last_status_at ELSE \(entry.lastStatusAt) END
            WHERE id = \(account)
            """)
    }
}
