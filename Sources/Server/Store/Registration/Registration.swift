package import FeedCore

/// Validates sign-ups and creates their accounts.
package struct Registration: Sendable {
    private let accounts: AccountStore
    private let store: RegistrationStore
    private let hashing: any PasswordHasher
    private let settings: ReloadableSettings
    private let clock: WallClock

    package init(
        stores: Stores, hashing: any PasswordHasher, settings: ReloadableSettings, clock: WallClock
    ) {
        accounts = stores.accounts
        store = stores.registrations
        self.hashing = hashing
        self.settings = settings
        self.clock = clock
    }

    package var mode: RegistrationPolicy.Mode { settings.registration.mode }

    /// Validates a sign-up form and creates the account.
    /// - Throws: ``RegistrationRefusal`` if fields are invalid; ``FeedError`` `.forbidden` if the policy does not allow
    ///   the sign-up, `.unavailable` if too many await approval.
    package func register(_ form: RegistrationForm) async throws -> RegisteredAccount {
        let policy = settings.registration
        // All other checks run first, because hashing is slow.
        let errors = try await errors(of: form, policy)
        guard errors.isEmpty else { throw RegistrationRefusal(errors: errors) }
        var new = NewAccount(username: form.username)
        new.email = form.email
        new.password = try await hashing.hash(form.password)
        do {
            return try await store.register(
                new, SignUp(mode: policy.mode, invitation: form.invitation?.lowercased(), reason: form.reason))
        } catch let error as FeedError where error.kind == .conflict {
            // Another registration has taken the name or the address in the meantime.
            let errors = try await taken(by: form)
            throw errors.isEmpty ? error : RegistrationRefusal(errors: errors)
        }
    }

    /// The errors that can be detected without looking up existing accounts and invitations.
    package func formErrors(
        of form: RegistrationForm
    ) -> [(field: RegistrationRefusal.Field, error: RegistrationRefusal.FieldError)] {
        form.errors(blockedNames: settings.registration.blockedNames, limits: settings.limits)
    }

    /// The invitation with a code, if it can be used now.
    package func usableInvitation(_ code: String) async throws -> Invitation? {
        let code = code.lowercased()
        guard Invitation.isCode(code), let invitation = try await store.invitation(code: code) else { return nil }
        return invitation.isUsable(at: clock.now()) ? invitation : nil
    }

    private typealias FieldErrors = [(field: RegistrationRefusal.Field, error: RegistrationRefusal.FieldError)]

    private func errors(of form: RegistrationForm, _ policy: RegistrationPolicy) async throws -> FieldErrors {
        var errors = form.errors(blockedNames: policy.blockedNames, limits: settings.limits)
        do {
            _ = try RegistrationRule.decide(policy.mode, try await invitee(form.invitation))
        } catch let refusal as RegistrationRefusal {
            errors += refusal.errors
        }
        return errors + (try await taken(by: form))
    }

    private func invitee(_ code: String?) async throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        return try await usableInvitation(code) == nil ? .invalidInvitation : .invited
    }

    private func taken(by form: RegistrationForm) async throws -> FieldErrors {
        var errors: FieldErrors = []
        if try await accounts.account(named: form.username) != nil { errors.append((.username, .taken)) }
        if try await accounts.hasAccount(email: form.email) { errors.append((.email, .taken)) }
        return errors
    }
}
