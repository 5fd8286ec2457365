import Foundation

/// The time for which tests wait for a condition.
///
/// It usually becomes true within moments, and the test continues at once. The limit only ends a test whose condition
/// never becomes true. It is several minutes, since any process may stall on a busy machine.
package enum Wait {
    package static let seconds = 300
    private static let limit = Duration.seconds(seconds)

    /// Waits until a condition is true.
    /// - Parameter what: The condition in words, for the error.
    /// - Throws: ``WaitTimeout``, `CancellationError`, and any error thrown by the condition.
    package static func until(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try await !isTrue() {
            guard ContinuousClock.now - start < limit else { throw WaitTimeout(what: what) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits on a thread that may block.
    package static func block(until what: String, _ isTrue: () throws -> Bool) throws {
        let start = ContinuousClock.now
        while try !isTrue() {
            guard ContinuousClock.now - start < limit else { throw WaitTimeout(what: what) }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }
}

package struct WaitTimeout: Error, CustomStringConvertible {
    let what: String

    package init(what: String) { self.what = what }

    package var description: String { "not within \(Wait.seconds) seconds: \(what)" }
}
