import FeedAPI

/// The name of a backup: the time of its snapshot in UTC, for example `backup-2026-11-22T08-15-30.123Z`. The order of
/// names is the order of times.
package struct BackupName: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let prefix = "backup-"
    private static let databaseSuffix = ".sqlite"
    private static let manifestSuffix = ".json"
    /// The form of a time; `0` stands for a digit.
    private static let form = Array("0000-00-00T00:00:00.000Z".utf8)

    /// The time in ISO 8601 with milliseconds, for example `2026-11-22T08:15:30.123Z`.
    package let time: String

    /// - Parameter time: ISO 8601 in UTC with milliseconds.
    /// - Returns: `nil` if the time has another form, for example a year beyond 9999.
    package init?(time: String) {
        let bytes = Array(time.utf8)
        guard bytes.count == Self.form.count,
            zip(bytes, Self.form).allSatisfy({ byte, form in
                form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
            })
        else { return nil }
        self.time = time
    }

    /// - Returns: `nil` if `file` is not the name of a manifest.
    package init?(manifestFile file: String) { self.init(file, suffix: Self.manifestSuffix) }

    /// - Returns: `nil` if `file` is not the name of a database.
    package init?(databaseFile file: String) { self.init(file, suffix: Self.databaseSuffix) }

    private init?(_ file: String, suffix: String) {
        guard file.hasPrefix(Self.prefix), file.hasSuffix(suffix) else { return nil }
        let time = file.utf8.dropFirst(Self.prefix.utf8.count).dropLast(suffix.utf8.count)
        // Colons are not allowed in the file names of some file systems.
        guard !time.contains(UInt8(ascii: ":")) else { return nil }
        let clock = time.dropFirst(10).map { $0 == UInt8(ascii: "-") ? UInt8(ascii: ":") : $0 }
        self.init(time: String(decoding: time.prefix(10) + clock, as: UTF8.self))
    }

    package var description: String { Self.prefix + time.replacing(":", with: "-") }
    package var databaseFile: String { description + Self.databaseSuffix }
    package var manifestFile: String { description + Self.manifestSuffix }

    package static func < (left: BackupName, right: BackupName) -> Bool { left.time < right.time }
}

/// Whether one folder contains the other.
package enum FolderNesting {
    /// - Parameters: Absolute paths without symbolic links.
    package static func overlap(_ first: String, _ second: String) -> Bool {
        let (first, second) = (names(first), names(second))
        return first.starts(with: second) || second.starts(with: first)
    }

    private static func names(_ path: String) -> [ArraySlice<UInt8>] {
        Array(path.utf8).split(separator: UInt8(ascii: "/"))
    }
}

/// The argument of `restore --at`: an ISO 8601 time, or a date, which stands for the end of that day in UTC.
package struct BackupTime: Sendable {
    /// The name that a backup of that time would have.
    package let name: BackupName

    package init?(argument: String) {
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
    package init?(milliseconds: Int64) { self.init(time: ISO8601.text(milliseconds: milliseconds)) }

    /// The first free name at or after a time.
    /// - Parameters:
    ///   - milliseconds: Since 1970, UTC.
    ///   - taken: The names in use.
    package static func next(from milliseconds: Int64, taken: Set<BackupName>) throws(FeedError) -> BackupName {
        for time in milliseconds..<milliseconds + 1000 {
            guard let name = BackupName(milliseconds: time) else { break }
            if !taken.contains(name) { return name }
        }
        throw FeedError(.storage, "no free name for the backup", hint: "Check the clock.")
    }
}
