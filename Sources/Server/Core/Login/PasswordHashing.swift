import Dispatch
import Foundation
import Synchronization

/// Creates and verifies password hashes.
package protocol PasswordHashing: Sendable {
    /// Hashes a password with a new random salt.
    func hash(_ password: String) async throws -> String
    /// Whether `password` matches the `stored` hash.
    func verify(_ password: String, against stored: String) async throws -> Bool
}

/// Runs scrypt on dedicated threads.
///
/// At most two hashes run at a time (one on a single core), so that logins do not starve other work. The queue is
/// bounded; when it is full, ``hash(_:)`` and ``verify(_:against:)`` throw ``FeedError`` `.unavailable`.
package final class ScryptPool: PasswordHashing {
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
