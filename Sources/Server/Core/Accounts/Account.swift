/// An account. Times are milliseconds since 1970, UTC.
package struct Account: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable { case admin, member }

    /// The colors of the pages. The raw values are stored and used in the style sheet.
    package enum Theme: String, Sendable, CaseIterable { case light, dark }

    /// Permissions for others to find or see the account. The raw values are stored.
    package struct Privacy: OptionSet, Sendable, Equatable {
        /// Whether anyone may search the public statuses. New accounts permit it.
        package static let indexable = Privacy(rawValue: 1)
        /// Whether only the account itself sees its followers and whom it follows.
        package static let hidesCollections = Privacy(rawValue: 2)
        /// Whether search engines are asked to ignore the profile and the statuses.
        package static let noindex = Privacy(rawValue: 4)

        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// A custom field of the profile.
    package struct Field: Codable, Sendable, Equatable {
        package var name: String
        /// The plain text as entered.
        package var value: String
        /// ``value`` rendered as safe HTML.
        package var html: String

        package init(name: String, value: String, html: String) {
            self.name = name
            self.value = value
            self.html = html
        }

        fileprivate var texts: [String] { [name, value, html] }
    }

    package var id: Int64
    package var username: String
    package var displayName: String
    package var city: String
    package var email: String
    /// The plain text as entered.
    package var note: String
    /// ``note`` rendered as safe HTML.
    package var noteHTML: String
    package var role: Role
    package var createdAt: Int64
    package var lastStatusAt: Int64?
    package var statusesCount: Int
    package var followersCount: Int
    package var followingCount: Int
    /// The avatar image, or `nil` if none is set. It is taken for a still image until ``avatarStatic`` is set, too.
    package var avatar: BlobHash? { didSet { if avatar != oldValue { avatarStatic = avatar } } }
    /// A still image of the avatar: the avatar itself unless it is animated. `nil` if none is set, or if it is not known yet
    /// whether it is animated.
    package var avatarStatic: BlobHash?
    /// The header image, as ``avatar``.
    package var header: BlobHash? { didSet { if header != oldValue { headerStatic = header } } }
    /// A still image of the header, as ``avatarStatic``.
    package var headerStatic: BlobHash?
    package var suspendedAt: Int64?
    /// The time since when only its followers see the account's statuses in lists and get its notifications.
    package var silencedAt: Int64?
    /// The time at which the account was removed. Only its name remains, so that nobody else gets it; it is also
    /// suspended.
    package var removedAt: Int64?
    package var hasPassword: Bool
    /// Whether follows require the account's approval.
    package var isLocked = false
    package var isBot = false
    /// Whether the account may be suggested to others.
    package var isDiscoverable = true
    package var privacy: Privacy = []
    package var fields: [Field] = []
    /// The visibility of new statuses that do not specify one.
    package var defaultVisibility = Visibility.public
    package var defaultSensitive = false
    package var defaultLanguage: String?
    /// The name of the time zone in which the pages show and read times; `nil` for UTC.
    package var timeZone: String?
    /// `nil` for the colors that the browser prefers.
    package var theme: Theme?
    /// The language of the pages; `nil` for what the browser prefers.
    package var language: PageLanguage?

    package init(
        id: Int64, username: String, displayName: String = "", city: String = "", email: String = "", note: String = "",
        noteHTML: String = "", role: Role = .member, createdAt: Int64, lastStatusAt: Int64? = nil,
        statusesCount: Int = 0,
        followersCount: Int = 0, followingCount: Int = 0, avatar: BlobHash? = nil, suspendedAt: Int64? = nil,
        hasPassword: Bool = false
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.city = city
        self.email = email
        self.note = note
        self.noteHTML = noteHTML
        self.role = role
        self.createdAt = createdAt
        self.lastStatusAt = lastStatusAt
        self.statusesCount = statusesCount
        self.followersCount = followersCount
        self.followingCount = followingCount
        self.avatar = avatar
        self.suspendedAt = suspendedAt
        self.hasPassword = hasPassword
    }

    /// The blobs of avatar and header, each once.
    package var pictures: [BlobHash] {
        [avatar, avatarStatic, header, headerStatic].compactMap(\.self).reduce(into: []) { hashes, hash in
            if !hashes.contains(hash) { hashes.append(hash) }
        }
    }

    /// Whether a moderator has suspended the account. One that awaits approval is only stored as suspended.
    package func isSuspended(isPending: Bool) -> Bool { suspendedAt != nil && !isPending }

    /// Whether someone may see the account's followers and whom it follows.
    package func showsCollections(to viewer: Int64?) -> Bool {
        !privacy.contains(.hidesCollections) || viewer == id
    }

    /// The display name, or the username if the display name is empty.
    package var displayNameOrUsername: String { displayName.isEmpty ? username : displayName }

    /// The approximate memory in bytes.
    package var cost: Int {
        let texts =
            [username, displayName, city, email, note, noteHTML] + pictures.map(\.description) + fields.flatMap(\.texts)
        return texts.reduce(MemoryLayout<Self>.size) { $0 + 32 + $1.utf8.count }
    }
}

/// The properties of an account to be created.
package struct NewAccount: Sendable {
    package var username: String
    package var displayName = ""
    package var city = ""
    package var email = ""
    package var note = ""
    package var role = Account.Role.member
    /// The password hash in PHC string format; `nil` prevents logins until a password is set.
    package var password: String?
    package var privacy: Account.Privacy = .indexable

    package init(username: String) { self.username = username }
}

/// The order of the directory of accounts.
package enum Directory: String, Sendable, CaseIterable {
    /// By the time of the newest status. Accounts without a status are left out.
    case active
    case new

    package static let maximumOffset = 400
}

/// An account that somebody may want to follow.
package struct Suggestion: Sendable, Equatable {
    /// The reason for suggesting an account. The raw values are those of the Mastodon API.
    package enum Source: String, Sendable {
        case friendsOfFriends = "friends_of_friends"
        case recentlyActive = "most_interactions"
    }

    package var account: Account
    package var source: Source

    package init(account: Account, source: Source) {
        self.account = account
        self.source = source
    }
}
