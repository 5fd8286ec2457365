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
    package func edit(_ draft: ProfileDraft, of account: Int64, freesSpace: Bool = false) async throws -> Account {
        try ProfileRule.check(draft, limits)
        let note = draft.note.map { TextParser.parse($0, host: host) }
        let fields = draft.fields.map {
            $0.filter { !$0.name.isEmpty }.map { ($0, TextParser.parse($0.value, host: host)) }
        }
        let names = ([note].compactMap(\.self) + (fields ?? []).map(\.1)).map(TextRendering.mentionedNames)
        let mentions = try await accounts.accounts(named: names.reduce(into: []) { $0.formUnion($1) })
        let noteHTML = note.map { TextRendering.render($0, known: mentions).html }
        let rendered = fields?.map { field, segments in
            Account.Field(
                name: field.name, value: field.value, html: TextRendering.line(segments, known: mentions))
        }
        return try await accounts.update(account, freesSpace: freesSpace) { account in
            draft.apply(to: &account)
            account.noteHTML = noteHTML ?? account.noteHTML
            account.fields = rendered ?? account.fields
        }
    }
}

extension ProfileDraft {
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

extension ProfileDraft.PictureChange {
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
