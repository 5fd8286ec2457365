import Crypto
import CryptoExtras
import Dispatch
import Foundation
import Synchronization

/// Creates and verifies password hashes.
package protocol PasswordHasher: Sendable {
    /// Hashes a password with a new random salt.
    func hash(_ password: String) async throws -> String
    /// Whether `password` matches the `stored` hash.
    func verify(_ password: String, against stored: String) async throws -> Bool
}

/// Runs scrypt on dedicated threads.
///
/// At most two hashes run at a time (one on a single core), so that logins do not starve other work. The queue is
/// bounded; when it is full, ``hash(_:)`` and ``verify(_:against:)`` throw ``FeedError`` `.unavailable`.
package final class ScryptPool: PasswordHasher {
    private let scrypt: Scrypt
    private let threads: DispatchQueue
    private let slots: DispatchSemaphore
    private let waiting = Mutex(0)
    private let capacity: Int

    /// - Parameter capacity: The maximum number of running and waiting operations.
    package init(scrypt: Scrypt = .standard, capacity: Int = 64) {
        self.scrypt = scrypt
        self.capacity = capacity
        slots = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount > 1 ? 2 : 1)
        threads = DispatchQueue(label: "scrypt", qos: .utility, attributes: .concurrent)
    }

    /// The number of running and waiting operations.
    package var pending: Int { waiting.withLock { $0 } }

    package func hash(_ password: String) async throws -> String {
        try await run { [scrypt] in try scrypt.hash(password) }
    }

    package func verify(_ password: String, against stored: String) async throws -> Bool {
        try await run { try Scrypt.verify(password, against: stored) }
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async { [slots] in
                slots.wait()
                defer { slots.signal() }
                continuation.resume(with: Result(catching: work))
            }
        }
    }

    private func enter() throws {
        try waiting.withLock { count in
            guard count < capacity else {
                throw FeedError(
                    .unavailable, "Too many logins at once", hint: "Try again in a few seconds.", retryAfter: 5)
            }
            count += 1
        }
    }

    private func leave() {
        waiting.withLock { $0 -= 1 }
    }
}

/// Hashes passwords with scrypt (RFC 7914).
///
/// Hashes are stored in PHC string format with their parameters: `$scrypt$ln=15,r=8,p=3$SALT$HASH`, with salt and hash
/// in base64 without padding.
package struct Scrypt: Sendable, Equatable {
    /// The base-2 logarithm of the cost parameter N. A hash needs 128 · N · r bytes of memory.
    package var logN: Int
    package var r: Int
    package var p: Int

    /// Uses 32 MiB per hash; equivalent in strength to the N=2^17, p=1 recommended by OWASP.
    package static let standard = Scrypt(logN: 15, r: 8, p: 3)

    package init(logN: Int, r: Int, p: Int) {
        self.logN = logN
        self.r = r
        self.p = p
    }

    /// Hashes a password with a new 16-byte random salt. Takes about 100 ms of CPU time with ``standard`` parameters.
    package func hash(_ password: String) throws -> String {
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return text(salt: salt, key: try derive(password, salt: salt))
    }

    /// Whether `password` matches the `stored` hash. The hashes are compared in constant time.
    package static func verify(_ password: String, against stored: String) throws -> Bool {
        guard let (scrypt, salt, expected) = parse(stored) else { return false }
        let derived = try scrypt.derive(password, salt: salt)
        guard derived.count == expected.count else { return false }
        return zip(derived, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func derive(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: Data(salt), outputByteCount: 32, rounds: 1 << logN, blockSize: r,
            parallelism: p)
        return key.withUnsafeBytes { Array($0) }
    }

    private func text(salt: [UInt8], key: [UInt8]) -> String {
        "$scrypt$ln=\(logN),r=\(r),p=\(p)$\(Self.base64(salt))$\(Self.base64(key))"
    }

    private static func parse(_ stored: String) -> (Scrypt, salt: [UInt8], key: [UInt8])? {
        let parts = stored.utf8.split(separator: UInt8(ascii: "$")).map(Substring.init)
        guard parts.count == 4, parts[0] == "scrypt" else { return nil }
        let numbers = parts[1].utf8.split(separator: UInt8(ascii: ",")).compactMap {
            Int(Substring($0.drop { !(48...57).contains($0) }))
        }
        guard numbers.count == 3, (1...20).contains(numbers[0]), (1...32).contains(numbers[1]),
            (1...16).contains(numbers[2]),
            let salt = bytes(parts[2]), let key = bytes(parts[3])
        else { return nil }
        return (Scrypt(logN: numbers[0], r: numbers[1], p: numbers[2]), salt, key)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init)
    }
}
