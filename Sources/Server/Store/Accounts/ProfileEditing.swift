package import FeedCore

/// Validates, renders and stores profile changes.
package struct ProfileEditing: Sendable {
    private let accounts: AccountStore
    private let limits: Limits
    private let host: String?

    /// - Parameter host: The host of this server, which mentions may contain; `nil` if unknown.
    package init(accounts: AccountStore, limits: Limits, host: String? = nil) {
        self.accounts = accounts
        self.limits = limits
        self.host = host
    }

    /// Applies a profile change; returns once the change is durable.
    /// - Parameter freesSpace: Whether the draft only removes pictures, which works on a full disk, too.
    /// - Throws: ``FeedError`` `.invalid` if a value is too long or malformed, `.notFound` for an unknown account.
    package func edit(_ draft: ProfileChanges, of account: Int64, freesSpace: Bool = false) async throws -> Account {
        try ProfileRule.check(draft, limits)
        let note = draft.note.map { StatusTextParser.parse($0, host: host) }
        let fields = draft.fields.map {
            $0.filter { !$0.name.isEmpty }.map { ($0, StatusTextParser.parse($0.value, host: host)) }
        }
        let names = ([note].compactMap(\.self) + (fields ?? []).map(\.1)).map(StatusHTML.mentionedNames)
        let mentions = try await accounts.accounts(named: names.reduce(into: []) { $0.formUnion($1) })
        let noteHTML = note.map { StatusHTML.render($0, known: mentions).html }
        let rendered = fields?.map { field, segments in
            Account.Field(
                name: field.name, value: field.value, html: StatusHTML.line(segments, known: mentions))
        }
        return try await accounts.update(account, freesSpace: freesSpace) { account in
            draft.apply(to: &account)
            account.noteHTML = noteHTML ?? account.noteHTML
            account.fields = rendered ?? account.fields
        }
    }
}

extension ProfileChanges {
    /// Copies the properties that need no rendering.
    fileprivate func apply(to account: inout Account) {
        account.displayName = displayName ?? account.displayName
        account.note = note ?? account.note
        account.isLocked = isLocked ?? account.isLocked
        account.isBot = isBot ?? account.isBot
        account.isDiscoverable = isDiscoverable ?? account.isDiscoverable
        account.privacy.set(.indexable, isIndexable)
        account.privacy.set(.hidesCollections, hidesCollections)
        account.privacy.set(.noindex, isNoindex)
        account.defaultVisibility = defaultVisibility ?? account.defaultVisibility
        account.defaultSensitive = defaultSensitive ?? account.defaultSensitive
        avatar?.apply(to: &account, \.avatar, still: \.avatarStatic)
        header?.apply(to: &account, \.header, still: \.headerStatic)
        if let timeZone { account.timeZone = timeZone.isEmpty ? nil : timeZone }
        if let theme { account.theme = Account.Theme(rawValue: theme) }
        if let pageLanguage { account.language = PageLanguage(rawValue: pageLanguage) }
        if let defaultLanguage { account.defaultLanguage = defaultLanguage.isEmpty ? nil : defaultLanguage }
    }
}

extension Account.Privacy {
    /// - Parameter isSet: `nil` to change nothing.
    fileprivate mutating func set(_ option: Account.Privacy, _ isSet: Bool?) {
        switch isSet {
        case nil: break
        case true?: insert(option)
        case false?: remove(option)
        }
    }
}

extension ProfileChanges.PictureChange {
    fileprivate func apply(
        to account: inout Account, _ image: WritableKeyPath<Account, BlobHash?>,
        still: WritableKeyPath<Account, BlobHash?>
    ) {
        switch self {
        case .set(let picture):
            account[keyPath: image] = picture.image.hash
            account[keyPath: still] = picture.still.hash
        case .remove:
            account[keyPath: image] = nil
        }
    }
}

extension AccountStore {
    /// The number of follow requests accepted per transaction.
    private static let batch = 500

    /// The accounts with the given ids, in the given order, without unknown and suspended ones.
    package func accounts(ids: [Int64]) async throws -> [Account] {
        try await database.read { db in
            let query: SQL = """
                SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id IN \(list: Set(ids)) AND \(sql: AccountRow.visible)
                """
            let accounts = try db.fetchAll(query).map { try AccountRow.decode($0) }
            let byID = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) })
            return ids.compactMap { byID[$0] }
        }
    }

    /// The first account after an id with a picture that has not been checked for animation yet, except suspended
    /// accounts.
    package func withoutStill(after id: Int64) async throws -> Account? {
        try await database.read { db in
            try db.fetchAll(
                """
                SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id > \(id) AND ((a.avatar IS NOT NULL
                    AND a.avatar_static IS NULL) OR (a.header IS NOT NULL AND a.header_static IS NULL))
                    AND \(sql: AccountRow.visible)
                ORDER BY a.id LIMIT 1
                """
            ).first.map { try AccountRow.decode($0) }
        }
    }

    /// Applies `edit` to the profile and the posting defaults. Unlocking an account accepts pending follow requests.
    /// - Parameter freesSpace: Whether `edit` only removes data, which works on a full disk, too.
    /// - Throws: ``FeedError`` `.notFound`, and any error thrown by `edit`.
    package func update(
        _ id: Int64, freesSpace: Bool = false, _ edit: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account {
        let now = database.clock.now()
        let account = try await database.commits.write(freesSpace: freesSpace) { db in
            let before = try db.requireActiveAccount(id)
            var wanted = before
            try edit(&wanted)
            guard wanted != before else { return wanted }
            try Self.store(wanted, at: now, in: db)
            try Self.recordPictures(of: before, replacedBy: wanted, in: db)
            if wanted.isFoundByAll != before.isFoundByAll { try StatusIndex.moveStatuses(of: id, in: db) }
            return wanted
        }
        // Even if the account was not locked before: a crash may have left requests pending. On a full disk they stay.
        if !account.isLocked, !freesSpace { try await acceptRequests(to: id) }
        return try await self.account(id: id) ?? account
    }

    private static func store(_ account: Account, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE account SET display_name = \(account.displayName), note = \(account.note),
            note_html = \(account.noteHTML), locked = \(account.isLocked), bot = \(account.isBot),
            discoverable = \(account.isDiscoverable),
            privacy = \(account.privacy.rawValue), fields = \(try AccountRow.pack(account.fields)),
            default_visibility = \(account.defaultVisibility.rawValue),
            default_sensitive = \(account.defaultSensitive), default_language = \(account.defaultLanguage),
            avatar = \(account.avatar), header = \(account.header),
            time_zone = \(account.timeZone), theme = \(account.theme?.rawValue),
            page_language = \(account.language?.rawValue),
            avatar_static = \(account.avatarStatic), header_static = \(account.headerStatic)
            WHERE id = \(account.id)
            """)
        try index(account.displayName, of: account.id, in: db)
        try db.log(.accountUpdated, subject: account.id, account: account.id, at: now)
    }

    static func recordPictures(of old: Account, replacedBy new: Account, in db: Database) throws {
        let kept = new.pictures
        for hash in old.pictures where !kept.contains(hash) {
            try FileStore.recordReplaced(Blob(hash: hash, size: 0), of: old.id, in: db)
        }
    }

    /// Accepts all requests in short transactions, until the account is locked again. Requests of silenced accounts always
    /// need its approval.
    private func acceptRequests(to id: Int64) async throws {
        let now = database.clock.now()
        var accepted = Self.batch
        while accepted == Self.batch {
            accepted = try await database.commits.write { db in
                guard try Self.find(db, id: id)?.isLocked == false else { return 0 }
                let asking = try db.fetchAll(
                    """
                    SELECT r.follower_id FROM follow_request r CROSS JOIN account a ON a.id = r.follower_id
                    WHERE r.followee_id = \(id) AND a.silenced_at IS NULL ORDER BY r.id LIMIT \(Self.batch)
                    """, as: Int64.self)
                for follower in asking { try FollowPair(follower: follower, followee: id).accept(at: now, in: db) }
                return asking.count
            }
        }
    }
}
