import Foundation

/// How long tests wait for something that happens by itself.
///
/// It usually happens within moments, and the test goes on at once. The bound only ends a test whose condition never comes
/// true; it is minutes, since on a busy machine any process may stand still for a long time.
package enum Patience {
    package static let seconds = 300
    private static let limit = Duration.seconds(seconds)

    /// Waits until a condition is true.
    /// - Parameter what: The condition in words, for the error.
    /// - Throws: ``NeverHappened``, `CancellationError`, and what the condition throws.
    package static func until(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try await !isTrue() {
            guard ContinuousClock.now - start < limit else { throw NeverHappened(what: what) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The same on a thread that may be blocked.
    package static func block(until what: String, _ isTrue: () throws -> Bool) throws {
        let start = ContinuousClock.now
        while try !isTrue() {
            guard ContinuousClock.now - start < limit else { throw NeverHappened(what: what) }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }
}

package struct NeverHappened: Error, CustomStringConvertible {
    let what: String

    package var description: String { "not within \(Patience.seconds) seconds: \(what)" }
}
