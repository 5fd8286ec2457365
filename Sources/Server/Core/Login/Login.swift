import Crypto
import Foundation

/// Checks user names and passwords: throttled, in equal time for unknown names, and remembering a success for five
/// minutes, since the classic dialect sends the password with every request.
package actor Login {
    private struct VerifiedPassword {
        var code: Data
        /// The stored hash it was right for.
        var hash: String
        var until: Int64
        /// Where the password came from: only there is it accepted while others are slowed down.
        var addresses: Set<String>
        /// Wrong passwords since.
        var misses = 0
    }

    private static let memory: Int64 = 300_000
    private static let maximumVerified = 10_000
    private static let maximumMisses = 50

    private let accounts: any AccountStoring
    private let hashing: any PasswordHashing
    private let clock: WallClock
    private let throttles: Bool
    private let key = SymmetricKey(size: .bits256)
    private var throttle = LoginThrottle()
    private var verified: [Int64: VerifiedPassword] = [:]
    private var decoy: String?
    /// Grows when something is forgotten: what was checked before is not verified after.
    private var forgotten = 0

    /// - Parameter throttles: `false` only for tests and benchmarks (`--no-rate-limits`).
    package init(
        accounts: any AccountStoring, hashing: any PasswordHashing, clock: WallClock, throttles: Bool = true
    ) {
        self.accounts = accounts
        self.hashing = hashing
        self.clock = clock
        self.throttles = throttles
    }

    /// - Parameters:
    ///   - username: Or the account's mail address, which some programs ask for instead.
    ///   - address: Where the request comes from.
    /// - Returns: The account.
    /// - Throws: ``FeedError`` `.unauthorized` on a wrong name or password, `.rateLimited` after too many of them.
    package func check(username: String, password: String, address: String) async throws -> Account {
        try await prove(username: username, password: password, address: address).account
    }

    /// As ``check(username:password:address:)``, for what outlives the request.
    /// - Returns: The account, and the stored hash the password was right for: what is given for it must not be given any
    ///   more when that has changed.
    package func prove(
        username: String, password: String, address: String
    ) async throws -> (account: Account, hash: String) {
        let address = ClientNetwork.of(address)
        let name = Username.key(username)
        guard name.utf8.count <= 100, password.utf8.count <= 1024 else { throw Self.wrong }
        let isEmail = name.contains("@")
        let account = try await isEmail ? accounts.account(email: name) : accounts.account(named: name)
        if let account, account.suspendedAt == nil, let hash = recalled(account, password, from: address) {
            return (account, hash)
        }
        let counted = Self.key(of: account, name)
        try refuseIfThrottled(address: address, account: counted)
        guard let stored = try await attempt(address, counted, { try await verifiedHash(password, of: account) }),
            let account
        else { throw Self.wrong }
        throttle.succeeded(address: address, account: counted)
        // One that was changed meanwhile is neither good for a login nor to be verified after the change was announced.
        let before = forgotten
        guard try await accounts.password(of: account.id) == stored else { throw Self.wrong }
        if forgotten == before { remember(account, password, stored, from: address) }
        return (account, stored)
    }

    /// Drops what is verified of an account, after a new password or a suspension.
    package func forget(_ id: Int64) {
        forgotten += 1
        verified[id] = nil
    }

    /// Drops everything verified.
    package func forgetAll() {
        forgotten += 1
        verified.removeAll()
    }

    /// An account is counted as one, whether it is asked for by its name or its mail address.
    private static func key(of account: Account?, _ name: String) -> String {
        account.map { "id \($0.id)" } ?? "name " + name
    }

    /// Counts an attempt before its outcome is known, so that many at once do not slip through; one that was not made
    /// after all is taken back.
    private func attempt(
        _ address: String, _ account: String, _ check: () async throws -> String?
    ) async throws -> String? {
        throttle.failed(address: address, account: account, now: clock.now())
        do {
            let stored = try await check()
            if stored != nil { throttle.retract(address: address, account: account) }
            return stored
        } catch {
            throttle.retract(address: address, account: account)
            throw error
        }
    }

    private static let wrong = FeedError(
        .unauthorized, "Wrong user name or password", hint: "Check both; names are not case-sensitive, passwords are.")

    private func refuseIfThrottled(address: String, account: String) throws {
        guard throttles, let seconds = throttle.wait(address: address, account: account, now: clock.now())
        else { return }
        throw FeedError(.rateLimited, "Too many failed logins", hint: "Wait \(seconds) seconds.", retryAfter: seconds)
    }

    /// The stored hash, if `password` is the one it was made from. Hashes even when there is nothing to compare with,
    /// so that time tells nothing about which names exist.
    private func verifiedHash(_ password: String, of account: Account?) async throws -> String? {
        var stored: String?
        if let account, account.suspendedAt == nil { stored = try await accounts.password(of: account.id) }
        guard let stored else {
            _ = try await hashing.verify(password, against: try await decoyHash())
            return nil
        }
        return try await hashing.verify(password, against: stored) ? stored : nil
    }

    private func decoyHash() async throws -> String {
        if let decoy { return decoy }
        let made = try await hashing.hash("nobody's password")
        decoy = made
        return made
    }

    /// The stored hash, if this password was right a while ago.
    private func recalled(_ account: Account, _ password: String, from address: String) -> String? {
        guard let entry = verified[account.id], clock.now() < entry.until, entry.addresses.contains(address)
        else {
            return nil
        }
        if HMAC<SHA256>.isValidAuthenticationCode(entry.code, authenticating: Data(password.utf8), using: key) {
            return entry.hash
        }
        // Wrong ones from an address that is verified are cheap to try, so that it is not verified for long.
        verified[account.id]?.misses += 1
        if entry.misses >= Self.maximumMisses { verified[account.id] = nil }
        return nil
    }

    private func remember(_ account: Account, _ password: String, _ hash: String, from address: String) {
        if verified.count >= Self.maximumVerified { verified.removeAll() }
        let known = verified[account.id]?.addresses ?? []
        let code = HMAC<SHA256>.authenticationCode(for: Data(password.utf8), using: key)
        verified[account.id] = VerifiedPassword(
            code: Data(code), hash: hash, until: clock.now() + Self.memory,
            addresses: known.count < 50 ? known.union([address]) : [address])
    }
}
