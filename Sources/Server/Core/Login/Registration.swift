import Foundation

/// The sign-up form.
package struct RegistrationForm: Sendable {
    package var username: String
    package var email: String
    package var password: String
    /// Whether the applicant accepts the server rules.
    package var agrees: Bool

    package init(username: String, email: String, password: String, agrees: Bool) {
        self.username = username
        self.email = email
        self.password = password
        self.agrees = agrees
    }
}

/// The invalid fields of a sign-up form.
package struct RegistrationRefusal: Error, Sendable, Equatable {
    /// The reason why a field is invalid. The raw values are those of the Mastodon API.
    package enum Fault: String, Sendable {
        case blank = "ERR_BLANK"
        case invalid = "ERR_INVALID"
        case taken = "ERR_TAKEN"
        case tooShort = "ERR_TOO_SHORT"
        case tooLong = "ERR_TOO_LONG"
        case notAccepted = "ERR_ACCEPTED"
    }

    package enum Field: String, Sendable, CaseIterable { case username, email, password, agreement }

    package let faults: [(field: Field, fault: Fault)]

    package static func == (left: Self, right: Self) -> Bool { left.faults.elementsEqual(right.faults, by: ==) }
}

/// Validates sign-ups and creates their accounts.
package struct Registration: Sendable {
    private static let passwordCharacters = 8
    private static let emailBytes = 254

    private let accounts: any AccountStoring
    private let hashing: any PasswordHashing
    private let limits: Limits

    package init(accounts: any AccountStoring, hashing: any PasswordHashing, limits: Limits) {
        self.accounts = accounts
        self.hashing = hashing
        self.limits = limits
    }

    /// Validates a sign-up form and creates the account.
    /// - Throws: ``RegistrationRefusal`` if fields are invalid, or ``FeedError``.
    package func register(_ form: RegistrationForm) async throws -> Account {
        // All other checks run first, because hashing is slow.
        let faults = Self.faults(of: form, limits: limits) + (try await taken(by: form))
        guard faults.isEmpty else { throw RegistrationRefusal(faults: faults) }
        var new = NewAccount(username: form.username)
        new.email = form.email
        new.password = try await hashing.hash(form.password)
        do {
            return try await accounts.create(new, claimsEmail: true)
        } catch let error as FeedError where error.kind == .conflict {
            // Another registration has taken the name or the address in the meantime.
            throw RegistrationRefusal(faults: try await taken(by: form))
        }
    }

    private func taken(
        by form: RegistrationForm
    ) async throws -> [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)] {
        var faults: [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)] = []
        if try await accounts.account(named: form.username) != nil { faults.append((.username, .taken)) }
        if try await accounts.hasAccount(email: form.email) { faults.append((.email, .taken)) }
        return faults
    }

    /// The faults that can be detected without looking up existing accounts.
    package static func faults(
        of form: RegistrationForm, limits: Limits
    ) -> [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)] {
        let found: [(RegistrationRefusal.Field, RegistrationRefusal.Fault?)] = [
            (.username, username(form.username)), (.email, email(form.email)),
            (.password, password(form.password, limits)), (.agreement, form.agrees ? nil : .notAccepted),
        ]
        return found.compactMap { field, fault in fault.map { (field, $0) } }
    }

    private static func username(_ name: String) -> RegistrationRefusal.Fault? {
        if name.isEmpty { return .blank }
        if name.utf8.count > 30 { return .tooLong }
        return (try? Username.check(name)) == nil ? .invalid : nil
    }

    private static func email(_ text: String) -> RegistrationRefusal.Fault? {
        if text.isEmpty { return .blank }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && isPlain && text.utf8.count <= emailBytes
            ? nil : .invalid
    }

    private static func password(_ text: String, _ limits: Limits) -> RegistrationRefusal.Fault? {
        if text.isEmpty { return .blank }
        if text.count < passwordCharacters { return .tooShort }
        return text.utf8.count > limits.passwordBytes ? .tooLong : nil
    }
}
