import FeedAPI
import FeedCore

/// Keeps the search index in step with the statuses. All functions run in the transaction that changes them.
///
/// A status that is not indexed yet, see ``SearchIndexing``, is indexed when it changes; removing it does nothing.
enum StatusIndex {
    /// The number of statuses that are moved in the transaction that changes their account, and in each that follows.
    static let batch = 100

    /// Indexes a new status as it is stored.
    static func add(_ status: Status, in db: Database) throws {
        try db.connection.fullText.add(SearchDocument(status, mentioned: status.mentions.map(\.id)), in: db)
    }

    /// Indexes a changed status as it is stored.
    static func put(_ status: Status, in db: Database) throws {
        // Accounts that an earlier version mentions can still see the status.
        let mentioned: SQL = "SELECT account_id FROM mention WHERE status_id = \(status.id) ORDER BY account_id"
        let document = SearchDocument(status, mentioned: try db.fetchAll(mentioned, as: Int64.self))
        try db.connection.fullText.put(document, in: db)
    }

    /// Indexes statuses again. Boosts and statuses of an unfinished import are left out.
    static func refresh(_ ids: [Int64], in db: Database) throws {
        let condition: SQL = "e.boost_of_id IS NULL AND \(StatusVisibility.published("e"))"
        let statuses = try StatusStore.read(db, ids: ids, for: nil, where: condition)
        for id in ids { try statuses[id].map { try put($0, in: db) } }
    }

    static func remove(_ ids: [Int64], in db: Database) throws { try db.connection.fullText.remove(ids, in: db) }

    /// Moves the public and unlisted statuses of an account to the index in which they belong, if everyone finds them
    /// from now on, or no longer: the newest ones now, the others some time later. What nobody may find any more, no
    /// query finds in the meantime either.
    static func moveStatuses(of account: Int64, in db: Database) throws {
        guard let end = try moveSome(of: account, below: .max, in: db) else {
            return try db.execute("DELETE FROM search_move WHERE account_id = \(account)")
        }
        try db.execute(
            """
            INSERT INTO search_move (account_id, before_id) VALUES (\(account), \(end))
            ON CONFLICT (account_id) DO UPDATE SET before_id = excluded.before_id
            """)
    }

    /// Continues to move the statuses of an account.
    /// - Returns: Whether there are such accounts.
    static func continueMoving(in db: Database) throws -> Bool {
        let next: SQL = "SELECT account_id, before_id FROM search_move ORDER BY account_id LIMIT 1"
        guard let row = try db.fetchOne(next) else { return false }
        let account = try row[0] as Int64
        if let end = try moveSome(of: account, below: row[1], in: db) {
            try db.execute("UPDATE search_move SET before_id = \(end) WHERE account_id = \(account)")
        } else {
            try db.execute("DELETE FROM search_move WHERE account_id = \(account)")
        }
        return true
    }

    /// - Returns: The id below which there may be more hits; `nil` at the end.
    private static func moveSome(of account: Int64, below end: Int64, in db: Database) throws -> Int64? {
        guard let owner = try AccountStore.find(db, id: account) else { return nil }
        let ids = try db.fetchAll(
            """
            SELECT id FROM status WHERE account_id = \(account) AND visibility <= 1 AND id < \(end)
            ORDER BY id DESC LIMIT \(batch)
            """, as: Int64.self)
        try db.connection.fullText.move(ids, toRestricted: !owner.isFoundByAll, in: db)
        return ids.count == batch ? ids.last : nil
    }
}

/// The content of a status in the search index.
package struct SearchDocument: Sendable, Equatable {
    /// Stands between two texts, so that no phrase extends over both. No token is equal to it.
    static let gap = "\u{E000}"
    /// The maximum number of tokens, of which a text has up to ``SearchTokenizer/maximumTokens``.
    private static let maximumWords = 16_000

    let id: Int64
    /// Whether only its author, the accounts that it mentions and followers of its author find the status.
    let isRestricted: Bool
    /// The tokens of all texts in their order.
    let words: [String]
    let facts: [String]

    /// - Parameter mentioned: The accounts that the status mentions or once mentioned.
    init(_ status: Status, mentioned: [Int64]) {
        id = status.id
        isRestricted = !status.visibility.isPublicOrUnlisted || !status.account.isFoundByAll
        let texts =
            [status.text, status.spoilerText] + (status.poll?.titles ?? []) + status.media.compactMap(\.description)
        let words = texts.filter { !$0.isEmpty }.map(SearchTokenizer.tokens).joined(separator: [Self.gap])
        self.words = Array(words.prefix(Self.maximumWords))
        facts = SearchFact.all(of: status, mentioned: mentioned).map(\.token)
    }
}

extension Account {
    /// Whether everyone finds the public statuses of the account. Moderation excludes accounts.
    var isFoundByAll: Bool { privacy.contains(.indexable) && suspendedAt == nil && silencedAt == nil }
}

/// A fact about a status. Its token consists of ASCII letters and digits, and the first letter is that of its kind.
enum SearchFact: Sendable, Equatable {
    case author(Int64)
    /// An account that the status mentions.
    case mentioned(Int64)
    case has(SearchOperator.Attachment)
    case `is`(SearchOperator.Property)
    case language(String)

    var token: String {
        switch self {
        case .author(let id): "f\(id)"
        case .mentioned(let id): "m\(id)"
        case .has(let attachment): "h" + attachment.rawValue
        case .is(let property): "i" + property.rawValue
        case .language(let tag): "l" + Self.letters(of: tag)
        }
    }

    /// The letters and digits of a language tag in lowercase.
    private static func letters(of tag: String) -> String {
        String(
            decoding: tag.lowercased().utf8.filter { (97...122).contains($0) || (48...57).contains($0) }, as: UTF8.self)
    }

    static func all(of status: Status, mentioned: [Int64]) -> [SearchFact] {
        var facts: [SearchFact] = [.author(status.account.id)] + mentioned.map { .mentioned($0) }
        facts += attachments(of: status).map { .has($0) }
        // The id of the parent is lost when that is deleted.
        if status.inReplyToID != nil || status.inReplyToAccountID != nil { facts.append(.is(.reply)) }
        if status.sensitive { facts.append(.is(.sensitive)) }
        return facts + languages(of: status).map { .language($0) }
    }

    private static func attachments(of status: Status) -> [SearchOperator.Attachment] {
        var attachments: [SearchOperator.Attachment] = status.media.isEmpty ? [] : [.media]
        let kinds = Set(status.media.map(\.kind))
        if kinds.contains(.image) { attachments.append(.image) }
        if kinds.contains(.video) || kinds.contains(.gifv) { attachments.append(.video) }
        if kinds.contains(.audio) { attachments.append(.audio) }
        if status.poll != nil { attachments.append(.poll) }
        // Quotes in the text are escaped, so that only links contain this.
        if status.content.containsBytes(of: " target=\"_blank\"") { attachments.append(.link) }
        return attachments
    }

    /// The language of a status, and for that of a dialect, the language without it.
    private static func languages(of status: Status) -> [String] {
        guard let tag = status.language, !tag.isEmpty else { return [] }
        let primary = String(Substring(tag.utf8.prefix { $0 != UInt8(ascii: "-") }))
        return primary == tag ? [tag] : [primary, tag]
    }
}

extension String {
    /// Whether the text contains another one, compared as bytes, which is faster than by characters.
    fileprivate func containsBytes(of part: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { text in
            part.withUTF8Buffer { part in
                text.indices.dropLast(part.count - 1).contains {
                    text[$0] == part[0] && text[$0..<$0 + part.count].elementsEqual(part)
                }
            }
        }
    }
}
