import Crypto
package import FeedCore
import Foundation

/// Verifies usernames and passwords.
///
/// Failed logins are throttled, and unknown usernames take as long as known ones. A verified password is cached for
/// five minutes, because the classic dialect sends it with every request.
package actor Login {
    private static let memory: Int64 = 300_000
    private static let maximumMisses = 50

    private let accounts: any AccountStoring
    private let failures: any LoginFailureStoring
    private let hashing: any PasswordHasher
    private let clock: WallClock
    private let throttles: Bool
    private let settings: ReloadableSettings
    private let report: @Sendable (LoginFailure) -> Void
    private let key = SymmetricKey(size: .bits256)
    private var verified: PasswordCache
    private var decoy: String?
    private var unstored = UnstoredLoginFailures()
    /// The number of invalidations so far. A check that started before an invalidation must not be cached.
    private var invalidationCount = 0

    /// - Parameters:
    ///   - throttles: `false` only for tests and benchmarks (`--no-rate-limits`).
    ///   - report: Called for each failed login.
    package init(
        accounts: any AccountStoring, failures: any LoginFailureStoring, hashing: any PasswordHasher,
        clock: WallClock, throttles: Bool = true, settings: ReloadableSettings = ReloadableSettings(),
        report: @escaping @Sendable (LoginFailure) -> Void = { _ in }
    ) {
        self.accounts = accounts
        self.failures = failures
        self.hashing = hashing
        self.clock = clock
        self.throttles = throttles
        self.settings = settings
        self.report = report
        verified = PasswordCache(limit: settings.limits.caches[.logins])
    }

    /// Verifies a username and a password.
    /// - Parameters:
    ///   - username: The username or the email address of the account.
    ///   - address: The client's IP address.
    /// - Returns: The account.
    /// - Throws: ``FeedError`` `.unauthorized` for wrong credentials, `.forbidden` for right ones of an account that may not
    ///   log in, `.rateLimited` after too many failures.
    package func check(username: String, password: String, address: String) async throws -> Account {
        try await authenticate(username: username, password: password, address: address).account
    }

    /// Like ``check(username:password:address:)``, for credentials that outlive the request.
    /// - Returns: The account and the stored password hash. A credential must only be issued while the stored hash is
    ///   still the same.
    package func authenticate(
        username: String, password: String, address: String
    ) async throws -> (account: Account, hash: String) {
        do {
            return try await verified(username: username, password: password, address: address)
        } catch let error as FeedError {
            report(LoginFailure(name: username, address: address, reason: LoginFailure.Reason(error)))
            throw error
        }
    }

    private func verified(
        username: String, password: String, address: String
    ) async throws -> (account: Account, hash: String) {
        let address = ClientNetwork.key(for: address)
        let name = Username.key(username)
        guard name.utf8.count <= 100, password.utf8.count <= 1024 else { throw Self.refusal(.tooLong) }
        let isEmail = name.utf8.contains(UInt8(ascii: "@"))
        let account = try await isEmail ? accounts.account(email: name) : accounts.account(named: name)
        if let account, account.suspendedAt == nil, let hash = cachedHash(account, password, from: address) {
            return (account, hash)
        }
        let attempt = LoginAttempt(
            address: address, account: Self.key(of: account, name), accountID: account?.id,
            limits: settings.limits.loginFailures)
        guard let stored = try await counted(attempt, { try await verifiedHash(password, of: account) }), let account
        else { throw Self.refusal(account == nil ? .unknownName : .wrongPassword) }
        // The password may have changed during the check: then reject it, and do not cache it.
        let before = invalidationCount
        guard try await accounts.password(of: account.id) == stored else { throw Self.refusal(.wrongPassword) }
        if invalidationCount == before { remember(account, password, stored, from: address) }
        return (account, stored)
    }

    /// Removes an account from the cache, after a change of its password or a suspension.
    package func invalidate(_ id: Int64) {
        invalidationCount += 1
        verified[id] = nil
    }

    /// Empties the cache.
    package func invalidateAll() {
        invalidationCount += 1
        verified.removeAll()
    }

    /// The throttle key, which is the same for an account's username and its email address.
    private static func key(of account: Account?, _ name: String) -> String {
        account.map { "id \($0.id)" } ?? "name " + name
    }

    /// Counts an attempt as a failure before its outcome is known, so that concurrent attempts are throttled, too. A
    /// success or an error retracts it, but not the refusal of an account that may not log in: its password has been
    /// hashed, too, and would be hashed without limit.
    private func counted(_ attempt: LoginAttempt, _ check: () async throws -> String?) async throws -> String? {
        guard throttles else { return try await check() }
        let isStored = try await begin(attempt)
        do {
            let stored = try await check()
            if stored != nil { await retract(attempt, isStored: isStored, hasSucceeded: true) }
            return stored
        } catch let error as FeedError where error.kind == .forbidden {
            throw error
        } catch {
            await retract(attempt, isStored: isStored, hasSucceeded: false)
            throw error
        }
    }

    /// Counts an attempt, in memory while the disk is full.
    /// - Returns: Whether the count is stored.
    private func begin(_ attempt: LoginAttempt) async throws -> Bool {
        do {
            if let seconds = try await failures.begin(attempt, now: clock.now()) { throw Self.tooManyFailures(seconds) }
            return true
        } catch let error as FeedError where error.kind == .diskFull {
            let isKnown = try await failures.isKnown(attempt, now: clock.now())
            if let seconds = try unstored.begin(attempt, now: clock.now(), isKnown: isKnown, else: error) {
                throw Self.tooManyFailures(seconds)
            }
            return false
        }
    }

    private func retract(_ attempt: LoginAttempt, isStored: Bool, hasSucceeded: Bool) async {
        guard isStored else { return unstored.retract(attempt, hasSucceeded: hasSucceeded) }
        // A login with the right password succeeds even if that cannot be recorded.
        try? await failures.retract(attempt, hasSucceeded: hasSucceeded, now: clock.now())
    }

    /// The same message for every reason.
    private static func refusal(_ reason: LoginFailure.Reason) -> FeedError {
        FeedError(
            .unauthorized, "Wrong username or password", hint: "Check both; only the password is case-sensitive.",
            cause: reason)
    }

    private static func tooManyFailures(_ seconds: Int) -> FeedError {
        .rateLimited("Too many failed logins", retryAfter: seconds)
    }

    /// The stored hash, or `nil` if `password` is wrong. Hashes the password even for an unknown account, so that the
    /// response time does not reveal which accounts exist.
    /// - Throws: ``FeedError`` ``FeedError/pending`` or ``FeedError/suspended`` for the right password of an account that
    ///   may not log in. A wrong one does not reveal that the account exists.
    private func verifiedHash(_ password: String, of account: Account?) async throws -> String? {
        guard let account, let stored = try await accounts.password(of: account.id) else {
            _ = try await hashing.verify(password, against: try await decoyHash())
            return nil
        }
        guard try await hashing.verify(password, against: stored) else { return nil }
        guard account.suspendedAt != nil else { return stored }
        throw try await accounts.isPending(account.id) ? FeedError.pending : .suspended
    }

    private func decoyHash() async throws -> String {
        if let decoy { return decoy }
        let hash = try await hashing.hash("decoy password")
        decoy = hash
        return hash
    }

    /// The stored hash, if this password has recently been verified for this client network.
    private func cachedHash(_ account: Account, _ password: String, from address: String) -> String? {
        guard let entry = verified[account.id], clock.now() < entry.until, entry.addresses.contains(address)
        else {
            return nil
        }
        if HMAC<SHA256>.isValidAuthenticationCode(entry.code, authenticating: Data(password.utf8), using: key) {
            return entry.hash
        }
        // Guesses from a verified network are cheap, so the entry is removed after a few of them.
        verified[account.id]?.misses += 1
        if entry.misses >= Self.maximumMisses { verified[account.id] = nil }
        return nil
    }

    private func remember(_ account: Account, _ password: String, _ hash: String, from address: String) {
        let networks = verified[account.id]?.addresses ?? []
        let code = HMAC<SHA256>.authenticationCode(for: Data(password.utf8), using: key)
        verified[account.id] = VerifiedPassword(
            code: Data(code), hash: hash, until: clock.now() + Self.memory,
            addresses: networks.count < 50 ? networks.union([address]) : [address])
    }
}

/// The accounts that log in.
package protocol AccountStoring: Sendable {
    /// The account with the given username, ignoring case.
    func account(named username: String) async throws -> Account?
    /// The account with the given email address, ignoring case; `nil` if several accounts have it.
    func account(email: String) async throws -> Account?
    /// Whether the account awaits the operator's approval. It is then suspended, too.
    func isPending(_ id: Int64) async throws -> Bool
    /// The stored password hash, or `nil` if the account is unknown or has no password.
    func password(of id: Int64) async throws -> String?
}

/// Stores the counters of failed logins and the networks of successful ones, which all servers of a feed share.
package protocol LoginFailureStoring: Sendable {
    /// Counts an attempt as a failure before its outcome is known, unless ``LoginThrottle`` makes it wait.
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The time in seconds until the attempt is allowed; `nil` if it may proceed.
    func begin(_ attempt: LoginAttempt, now: Int64) async throws -> Int?
    /// Retracts the failure of an attempt that succeeded or could not be checked. After a success, the network is one
    /// of the account's ``KnownNetworks``.
    /// - Parameter now: Milliseconds since 1970.
    func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async throws
    /// Whether the account's owner has logged in from the network of an attempt, according to ``KnownNetworks``.
    /// - Parameter now: Milliseconds since 1970.
    func isKnown(_ attempt: LoginAttempt, now: Int64) async throws -> Bool
}

extension LoginFailure.Reason {
    fileprivate init(_ error: FeedError) {
        self =
            switch error.kind {
            case .rateLimited: .throttled
            case .forbidden, .unauthorized: error.cause as? Self ?? .wrongPassword
            default: .unavailable
            }
    }
}

/// The services that authenticate callers and issue credentials.
package struct LoginServices: Sendable {
    package let passwords: Login
    package let tokens: Authentication
    package let grants: Grants
    package let registration: Registration
    package let passwordChange: PasswordChanging
    package let passwordResets: PasswordResetting

    /// - Parameters:
    ///   - throttles: Whether failed logins slow down further attempts.
    ///   - report: Called for each failed login.
    package init(
        stores: Stores, hashing: any PasswordHasher, settings: ReloadableSettings, clock: WallClock,
        throttles: Bool = true, report: @escaping @Sendable (LoginFailure) -> Void = { _ in }
    ) {
        passwords = Login(
            accounts: stores.accounts, failures: stores.loginFailures, hashing: hashing, clock: clock,
            throttles: throttles, settings: settings, report: report)
        tokens = Authentication(store: stores.tokens)
        grants = Grants(store: stores.grants, clock: clock)
        registration = Registration(stores: stores, hashing: hashing, settings: settings, clock: clock)
        passwordChange = PasswordChanging(accounts: stores.accounts, passwords: passwords, hashing: hashing)
        passwordResets = PasswordResetting(store: stores.passwordResets, passwords: passwords, hashing: hashing)
    }
}
