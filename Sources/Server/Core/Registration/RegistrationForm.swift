/// The sign-up form.
package struct RegistrationForm: Sendable {
    package var username: String
    /// May be empty if ``requiresEmail`` is `false`.
    package var email: String
    package var password: String
    /// Whether the applicant accepts the server rules.
    package var agrees: Bool
    /// The applicant's reason for joining; shown to the operator, who approves the account.
    package var reason: String
    /// The code of an invitation.
    package var invitation: String?
    package var requiresEmail: Bool

    package init(
        username: String, email: String, password: String, agrees: Bool, reason: String = "", invitation: String? = nil,
        requiresEmail: Bool = true
    ) {
        self.username = username
        self.email = email
        self.password = password
        self.agrees = agrees
        self.reason = reason
        self.invitation = invitation
        self.requiresEmail = requiresEmail
    }
}

/// The invalid fields of a sign-up form.
package struct RegistrationRefusal: Error, Sendable, Equatable {
    /// The reason why a field is invalid. The raw values are the Mastodon API's codes.
    package enum FieldError: String, Sendable {
        case blank = "ERR_BLANK"
        case invalid = "ERR_INVALID"
        case taken = "ERR_TAKEN"
        case reserved = "ERR_RESERVED"
        case tooShort = "ERR_TOO_SHORT"
        case tooLong = "ERR_TOO_LONG"
        case notAccepted = "ERR_ACCEPTED"
    }

    package enum Field: String, Sendable, CaseIterable {
        case username, email, password, agreement, reason
        case invitation = "invite_code"
    }

    package let errors: [(field: Field, error: FieldError)]

    package init(errors: [(field: Field, error: FieldError)]) { self.errors = errors }

    package static func == (left: Self, right: Self) -> Bool { left.errors.elementsEqual(right.errors, by: ==) }
}

extension RegistrationForm {
    private static let usernameBytes = 30
    package static let passwordCharacters = 8
    private static let emailBytes = 254
    /// The maximum length of ``reason`` in characters.
    static let reasonCharacters = 1000

    /// The errors that can be detected without looking up existing accounts and invitations.
    /// - Parameter blockedNames: The usernames that the operator has blocked.
    package func errors(
        blockedNames: Set<String>, limits: Limits
    ) -> [(field: RegistrationRefusal.Field, error: RegistrationRefusal.FieldError)] {
        let checks: [(RegistrationRefusal.Field, RegistrationRefusal.FieldError?)] = [
            (.username, usernameError(blockedNames)), (.email, emailError),
            (.password, Self.passwordError(password, limits)),
            (.agreement, agrees ? nil : .notAccepted), (.reason, reasonError),
        ]
        return checks.compactMap { field, error in error.map { (field, $0) } }
    }

    private func usernameError(_ blocked: Set<String>) -> RegistrationRefusal.FieldError? {
        if username.isEmpty { return .blank }
        if username.utf8.count > Self.usernameBytes { return .tooLong }
        guard (try? Username.check(username)) != nil else { return .invalid }
        return ReservedName.contains(username, blocked: blocked) ? .reserved : nil
    }

    private var emailError: RegistrationRefusal.FieldError? {
        if email.isEmpty { return requiresEmail ? .blank : nil }
        return Self.isEmailAddress(email) ? nil : .invalid
    }

    /// Whether a text looks like an email address. Only a message to it could show that it is one.
    package static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain && text.utf8.count <= emailBytes
    }

    /// The reason why a password cannot be chosen.
    package static func passwordError(_ password: String, _ limits: Limits) -> RegistrationRefusal.FieldError? {
        if password.isEmpty { return .blank }
        if password.count < passwordCharacters { return .tooShort }
        return password.utf8.count > limits.passwordBytes ? .tooLong : nil
    }

    /// A single character can have any number of bytes.
    private var reasonError: RegistrationRefusal.FieldError? {
        reason.count > Self.reasonCharacters || reason.utf8.count > Self.reasonCharacters * 4 ? .tooLong : nil
    }
}

/// Usernames that visitors cannot choose, because they suggest an office or belong to a service. The operator can.
package enum ReservedName {
    /// Includes the mailbox names of RFC 2142.
    private static let reserved: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "admins", "all", "anonymous", "api", "auth",
        "billing", "contact", "everyone", "feed", "feedclient", "feedserver", "ftp", "guest", "help", "helpdesk",
        "here", "host", "hostmaster", "info", "instance", "legal", "mail", "mailerdaemon", "marketing", "me", "mod",
        "moderation", "moderator", "moderators", "mods", "news", "noc", "nobody", "noreply", "notifications", "null",
        "oauth", "official", "operator", "operators", "owner", "postmaster", "privacy", "root", "sales", "security",
        "server", "service", "staff", "status", "superuser", "support", "sysadmin", "sysop", "system", "team",
        "undefined", "usenet", "uucp", "webmaster", "www",
    ]
    private static let reservedSkeletons = Set(reserved.map(skeleton))

    /// Whether a name equals a reserved or a blocked one, or looks like it.
    /// - Parameter blocked: The names that the operator has blocked.
    package static func contains(_ name: String, blocked: Set<String>) -> Bool {
        let key = skeleton(name)
        return reservedSkeletons.contains(key) || blocked.contains { skeleton($0) == key }
    }

    /// A form in which names that look alike are equal: `Adm1n`, `_ADMIN_` and `adrnin` have that of `admin`. Usernames
    /// are ASCII, so the confusable characters of other scripts cannot occur (Unicode Technical Standard #39).
    static func skeleton(_ name: String) -> String {
        let merged = name.lowercased().replacing("rn", with: "m").replacing("vv", with: "w")
        return String(merged.compactMap(representative))
    }

    private static func representative(_ character: Character) -> Character? {
        switch character {
        case "_": nil
        case "0": "o"
        case "1", "i": "l"
        case "5": "s"
        default: character
        }
    }
}
