import Crypto
import FeedCore
import Foundation

/// The verified passwords by the ids of their accounts, with a limit on their memory.
struct PasswordCache {
    private let limit: Int
    private var entries: [Int64: VerifiedPassword] = [:]
    private var cost = 0

    /// - Parameter limit: The maximum memory in bytes. If a new entry would exceed it, all others are removed first.
    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    subscript(account: Int64) -> VerifiedPassword? {
        get { entries[account] }
        set {
            cost += (newValue?.cost ?? 0) - (entries[account]?.cost ?? 0)
            entries[account] = newValue
            guard let newValue, cost > limit else { return }
            entries = newValue.cost <= limit ? [account: newValue] : [:]
            cost = entries.values.reduce(0) { $0 + $1.cost }
        }
    }

    mutating func removeAll() {
        entries.removeAll()
        cost = 0
    }
}

/// A password that has recently been verified.
struct VerifiedPassword {
    /// HMAC-SHA256 of the password.
    var code: Data
    /// The stored hash against which the password was verified.
    var hash: String
    /// Expiry in milliseconds since 1970.
    var until: Int64
    /// The client networks that sent the password; others do not use the cached entry.
    var addresses: Set<String>
    /// The number of wrong passwords since the password was verified.
    var misses = 0

    /// The approximate memory in bytes.
    fileprivate var cost: Int { 512 + hash.utf8.count + 128 * addresses.count }
}
