import Foundation

/// Limits of the time for which a program waits for another one, or for its own threads.
///
/// On a busy machine, any process may not run for some seconds. That shall not fail a test, so tests set `FEED_TIMEOUT`:
/// no limit is shorter than this number of seconds.
package enum Timeout {
    private static let minimum = seconds(minimum: ProcessInfo.processInfo.environment["FEED_TIMEOUT"])
    private static let range = 0...86_400

    /// The limit in seconds.
    package static func seconds(_ standard: Int) -> Int { max(standard, minimum) }

    /// The value of the variable; 0 if it is missing or no number of seconds.
    static func seconds(minimum text: String?) -> Int {
        guard let seconds = text.flatMap({ Int($0) }), range.contains(seconds) else { return 0 }
        return seconds
    }
}
