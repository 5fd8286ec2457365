import Foundation

/// How long the tests run that find more the longer they run: a moment in the gate, long in `make soak` (`FEED_FULL=1`).
package enum Soak {
    package static let isOn = ProcessInfo.processInfo.environment["FEED_FULL"] == "1"

    /// Rounds of a test.
    package static func rounds(_ short: Int, soaking long: Int) -> Int { isOn ? long : short }

    /// Seeds of a random walk: always the same in the gate, fresh ones when soaking.
    package static var seed: UInt64 { isOn ? UInt64.random(in: 1...UInt64.max) : 1 }
}
