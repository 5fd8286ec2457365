import FeedAPI
import Foundation
import GRDB

extension OfflineStore {
    /// The number of statuses that are in memory at once, apart from those that match.
    private static let batch = 400

    /// Searches the stored statuses of all timelines, with the same query language and the same words as a feed server.
    /// - Parameters:
    ///   - query: What to look for.
    ///   - count: The maximum number of statuses.
    ///   - before: Only statuses older than the one with this id.
    ///   - server: The server of the timelines.
    ///   - username: The account that `from:me` means; `nil` for nobody.
    /// - Returns: The newest matching statuses, each once; never a boost.
    /// - Throws: ``FeedClientError`` `.usage` if there is nothing to search for; `.disk`; `CancellationError`.
    public func search(
        _ query: String, count: Int, before: String? = nil, on server: ServerAddress, as username: String? = nil
    ) async throws -> [TimelineEntry] {
        let search = StatusMatcher(query: SearchQuery(query), host: server.authority, username: username)
        guard !search.query.isEmpty else {
            throw FeedClientError(
                .usage, "There is nothing to search for",
                hint: "Use at least one letter or digit, or an operator such as from:me or has:media.")
        }
        var found = NewestEntries(count: count, before: before.flatMap { StatusKey($0) })
        var position: Int64? = .max
        while let last = position {
            try Task.checkCancellation()
            let batch = try await database.read { db in try rows(before: last, in: db) }
            for row in batch.rows { if let entry = Self.entry(row), search.matches(entry.status) { found.add(entry) } }
            position = batch.next
        }
        return found.entries
    }

    /// The JSON of some statuses, and the position of the next ones.
    private func rows(before position: Int64, in db: Database) throws -> (rows: [[UInt8]], next: Int64?) {
        let sql = """
            SELECT status.id, json FROM status JOIN owner ON owner.id = status.owner
            WHERE owner.name = ? AND status.id < ? ORDER BY status.id DESC LIMIT ?
            """
        let rows = try Row.fetchAll(db, sql: sql, arguments: [owner, position, Self.batch])
        let json = rows.compactMap { Data.fromDatabaseValue($0[1]).map { [UInt8]($0) } }
        return (json, rows.count < Self.batch ? nil : rows.last.flatMap { Int64.fromDatabaseValue($0[0]) })
    }

    /// The status of a row, or the one that it boosts; `nil` if the row is damaged.
    private static func entry(_ json: [UInt8]) -> TimelineEntry? {
        guard let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json)) else { return nil }
        guard let inner = status.reblog?.value else { return TimelineEntry(status: status, json: json) }
        return RawJSON.member("reblog", of: json).map { TimelineEntry(status: inner, json: $0) }
    }
}

/// The newest of some statuses, each once.
private struct NewestEntries {
    let count: Int
    let before: StatusKey?
    private var found: [StatusKey: TimelineEntry] = [:]

    init(count: Int, before: StatusKey?) { (self.count, self.before) = (count, before) }

    mutating func add(_ entry: TimelineEntry) {
        guard let key = StatusKey(entry.status.id), before.map({ key < $0 }) ?? true else { return }
        found[key] = entry
        // Twice as many, so that they are not sorted again for each.
        if found.count >= 2 * count + 100 { found = Dictionary(uniqueKeysWithValues: newest) }
    }

    private var newest: [(StatusKey, TimelineEntry)] { found.sorted { $0.key > $1.key }.prefix(count).map { ($0, $1) } }

    var entries: [TimelineEntry] { newest.map(\.1) }
}

/// Compares statuses with a query, without a server.
struct StatusMatcher {
    let query: SearchQuery
    /// The host of the server, which a handle may contain.
    let host: String
    /// The account that `from:me` means.
    let username: String?

    /// - Parameter status: Not a boost.
    func matches(_ status: Entity.Status) -> Bool {
        isInTime(status) && query.facts.allSatisfy { isSo($0.kind, status) != $0.isExcluded }
            && query.matches(Self.texts(of: status))
    }

    private static func texts(of status: Entity.Status) -> [String] {
        [PlainText.from(html: status.content), status.spoiler_text]
            + (status.poll?.options.map(\.title) ?? []) + (status.media_attachments ?? []).compactMap(\.description)
    }

    private func isInTime(_ status: Entity.Status) -> Bool {
        guard query.before != nil || query.after != nil else { return true }
        guard let time = ISO8601.milliseconds(status.created_at) else { return false }
        return time < query.before ?? .max && time >= query.after ?? .min
    }

    private func isSo(_ fact: SearchOperator.Kind, _ status: Entity.Status) -> Bool {
        switch fact {
        case .fromMe: username.map { isAuthor($0, of: status) } ?? false
        case .from(let handle): isAuthor(handle.isLocal(to: host) ? handle.name : handle.acct, of: status)
        case .has(let attachment): Self.has(attachment, status)
        case .is(.reply): status.in_reply_to_id != nil || status.in_reply_to_account_id != nil
        case .is(.sensitive): status.sensitive == true
        case .language(let tag): Self.isLanguage(status.language?.lowercased(), tag)
        }
    }

    private func isAuthor(_ acct: String, of status: Entity.Status) -> Bool {
        status.account.acct.lowercased() == acct.lowercased()
    }

    private static func has(_ attachment: SearchOperator.Attachment, _ status: Entity.Status) -> Bool {
        let types = status.media_attachments?.map(\.type) ?? []
        return switch attachment {
        case .media: !types.isEmpty
        case .image: types.contains("image")
        case .video: types.contains("video") || types.contains("gifv")
        case .audio: types.contains("audio")
        case .poll: status.poll != nil
        case .link: status.card != nil || hasLink(status.content)
        }
    }

    /// Whether HTML has a link that is neither a mention nor a hashtag.
    private static func hasLink(_ html: String) -> Bool {
        HTMLTokenizer(html).contains { token in
            guard case .start(let tag) = token, tag.name == "a" else { return false }
            return !tag.hasClass("mention") && !tag.hasClass("hashtag")
        }
    }

    private static func isLanguage(_ language: String?, _ tag: String) -> Bool {
        language.map { $0 == tag || $0.utf8.starts(with: (tag + "-").utf8) } ?? false
    }
}
