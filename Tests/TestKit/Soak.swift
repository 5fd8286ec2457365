import Foundation

/// The duration of tests that find more the longer they run: short in the gate, long in `make soak` (`FEED_FULL=1`).
package enum Soak {
    package static let isEnabled = ProcessInfo.processInfo.environment["FEED_FULL"] == "1"

    /// The number of rounds of a test.
    package static func rounds(_ short: Int, soaking long: Int) -> Int { isEnabled ? long : short }

    /// The seed of a random walk: fixed in the gate, random when soaking.
    package static var seed: UInt64 { isEnabled ? UInt64.random(in: 1...UInt64.max) : 1 }
}
