import FeedAPI
import Foundation
import Synchronization

/// The value of the Date field, formatted once per second.
final class DateField: Sendable {
    private let last = Mutex<(second: Int, text: String)>((0, HTTPDate.text(seconds: 0)))

    var text: String {
        let now = time(nil)
        return last.withLock { last in
            if last.second != now { last = (now, HTTPDate.text(seconds: Int64(now))) }
            return last.text
        }
    }
}
