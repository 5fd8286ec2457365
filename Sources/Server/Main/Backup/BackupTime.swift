import ArgumentParser
import FeedAPI
import FeedCore

/// The argument of `restore --at`: an ISO 8601 time, or a date, which stands for the end of that day in UTC.
struct BackupTime: ExpressibleByArgument, Sendable {
    /// The name that a backup of that time would have.
    let name: BackupName

    init?(argument: String) {
        let isDate = argument.utf8.count == 10
        guard let milliseconds = ISO8601.milliseconds(isDate ? argument + "T23:59:59.999Z" : argument),
            let name = BackupName(milliseconds: milliseconds)
        else { return nil }
        self.name = name
    }
}

extension BackupName {
    /// - Parameter milliseconds: Since 1970, UTC.
    /// - Returns: `nil` if the year does not have four digits.
    init?(milliseconds: Int64) { self.init(time: ISO8601.text(milliseconds: milliseconds)) }

    /// The first free name at or after a time.
    /// - Parameters:
    ///   - milliseconds: Since 1970, UTC.
    ///   - taken: The names in use.
    static func next(from milliseconds: Int64, taken: Set<BackupName>) throws(FeedError) -> BackupName {
        for time in milliseconds..<milliseconds + 1000 {
            guard let name = BackupName(milliseconds: time) else { break }
            if !taken.contains(name) { return name }
        }
        throw FeedError(.storage, "no name is left for the backup", hint: "Check the clock.")
    }
}
