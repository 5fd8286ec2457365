/// The rules for statuses that are published at a later time. Times are milliseconds since 1970, UTC.
package enum ScheduledStatusRule {
    /// The minimum time in milliseconds between a request and the publication. It is longer than ``longestPause``, so no
    /// server has to be told about a new time.
    package static let minimumDelay: Int64 = 300_000
    package static let maximumPerAccount = 300
    /// The maximum time in milliseconds for which a server does not look for statuses that are due.
    package static let longestPause: Int64 = 60_000
    /// The time in milliseconds until a server looks again for a status that another one should have published, or that it
    /// could not read.
    package static let shortestPause: Int64 = 1000
    private static let firstRetry: Int64 = 60_000
    private static let longestRetry: Int64 = 21_600_000

    /// Checks the time at which a status is to be published.
    /// - Throws: ``FeedError`` `.invalid` if it is too soon.
    package static func check(_ time: Int64, at now: Int64) throws(FeedError) {
        guard time >= now, time - now >= minimumDelay else {
            throw .invalid("Scheduled at must be at least \(minimumDelay / 60_000) minutes in the future")
        }
    }

    /// Checks whether an account may schedule another status.
    /// - Parameter count: The number of its scheduled statuses.
    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package static func check(count: Int) throws(FeedError) {
        guard count < maximumPerAccount else {
            throw .invalid("You have exceeded the limit of \(maximumPerAccount) scheduled posts")
        }
    }

    /// The time in milliseconds until the next attempt: a minute after the first failure, then twice as long each time, up
    /// to six hours.
    /// - Parameter failures: The number of attempts that have failed.
    package static func retryDelay(after failures: Int) -> Int64 {
        let doublings = min(max(failures, 1) - 1, 16)
        return min(firstRetry << Int64(doublings), longestRetry)
    }

    /// The time in milliseconds until a server looks again for statuses that are due.
    /// - Parameter due: When the next one is due, if any.
    package static func pause(until due: Int64?, at now: Int64) -> Int64 {
        guard let due else { return longestPause }
        guard due > now else { return shortestPause }
        let (left, overflows) = due.subtractingReportingOverflow(now)
        return overflows ? longestPause : min(left, longestPause)
    }
}
