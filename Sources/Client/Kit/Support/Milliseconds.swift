import Foundation

/// Times in milliseconds since 1970.
package enum Milliseconds {
    /// From 1970 to the end of the year 9999: times that can be written in ISO 8601.
    static let valid: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The time of the system clock.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
