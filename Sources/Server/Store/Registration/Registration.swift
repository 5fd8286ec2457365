package import FeedCore

/// Validates sign-ups and creates their accounts.
package struct Registration: Sendable {
    private let accounts: AccountStore
    private let store: RegistrationStore
    private let hashing: any PasswordHashing
    private let settings: ReloadableSettings
    private let clock: WallClock

    package init(
        stores: Stores, hashing: any PasswordHashing, settings: ReloadableSettings, clock: WallClock
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
        let faults = try await faults(of: form, policy)
        guard faults.isEmpty else { throw RegistrationRefusal(faults: faults) }
        var new = NewAccount(username: form.username)
        new.email = form.email
        new.password = try await hashing.hash(form.password)
        do {
            return try await store.register(
                new, SignUp(mode: policy.mode, invitation: form.invitation?.lowercased(), reason: form.reason))
        } catch let error as FeedError where error.kind == .conflict {
            // Another registration has taken the name or the address in the meantime.
            let faults = try await taken(by: form)
            throw faults.isEmpty ? error : RegistrationRefusal(faults: faults)
        }
    }

    /// The faults that can be detected without looking up existing accounts and invitations.
    package func formFaults(
        of form: RegistrationForm
    ) -> [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)] {
        form.faults(blockedNames: settings.registration.blockedNames, limits: settings.limits)
    }

    /// The invitation with a code, if it can be used now.
    package func usableInvitation(_ code: String) async throws -> Invitation? {
        let code = code.lowercased()
        guard Invitation.isCode(code), let invitation = try await store.invitation(code: code) else { return nil }
        return invitation.isUsable(at: clock.now()) ? invitation : nil
    }

    private typealias Faults = [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)]

    private func faults(of form: RegistrationForm, _ policy: RegistrationPolicy) async throws -> Faults {
        var faults = form.faults(blockedNames: policy.blockedNames, limits: settings.limits)
        do {
            _ = try RegistrationRule.decide(policy.mode, try await invitee(form.invitation))
        } catch let refusal as RegistrationRefusal {
            faults += refusal.faults
        }
        return faults + (try await taken(by: form))
    }

    private func invitee(_ code: String?) async throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        return try await usableInvitation(code) == nil ? .badlyInvited : .invited
    }

    private func taken(by form: RegistrationForm) async throws -> Faults {
        var faults: Faults = []
        if try await accounts.account(named: form.username) != nil { faults.append((.username, .taken)) }
        if try await accounts.hasAccount(email: form.email) { faults.append((.email, .taken)) }
        return faults
    }
}
