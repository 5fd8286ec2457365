/// Formats and parses ISO 8601 times. Times are milliseconds since 1970, UTC.
public enum ISO8601 {
    /// A date and time of day in UTC, in the proleptic Gregorian calendar.
    public struct Parts: Equatable, Sendable {
        /// Calendar fields; `month` and `day` count from 1.
        public var year, month, day, hour, minute, second, millisecond: Int
    }

    /// Splits a time into calendar fields.
    /// - Parameter milliseconds: Since 1970, UTC; may be negative.
    public static func parts(milliseconds: Int64) -> Parts {
        let (days, rest) = floorDivide(milliseconds, by: 86_400_000)
        let (year, month, day) = civil(days: days)
        return Parts(
            year: year, month: month, day: day, hour: rest / 3_600_000, minute: rest / 60_000 % 60,
            second: rest / 1000 % 60, millisecond: rest % 1000)
    }

    /// Formats a time with milliseconds, for example `2023-12-01T06:39:55.863Z`.
    public static func text(milliseconds: Int64) -> String { text { append(milliseconds, to: &$0) } }

    /// Formats a time for the classic dialect, for example `2023-12-01 06:39:55`.
    public static func classicText(milliseconds: Int64) -> String {
        text {
            let parts = parts(milliseconds: milliseconds)
            append(parts, to: &$0)
            $0.append(UInt8(ascii: " "))
            appendClock(parts, to: &$0)
        }
    }

    /// Parses `YYYY-MM-DDTHH:MM:SS` with an optional fraction, followed by `Z` or `±HH:MM`.
    /// - Returns: Milliseconds since 1970, or `nil` if the text has a different format or is not a valid time.
    public static func milliseconds(_ text: some StringProtocol) -> Int64? {
        var reader = Reader(bytes: Array(text.utf8))
        return reader.time()
    }

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

// A page of statuses contains more than a hundred times, so they are written without creating strings.
extension ISO8601 {
    /// Appends the UTF-8 bytes of ``text(milliseconds:)``.
    static func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
        let parts = parts(milliseconds: milliseconds)
        append(parts, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendClock(parts, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        bytes.append(digitsOf: Int64(parts.millisecond), width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Appends the date only, for example `2023-12-01`.
    static func appendDay(_ milliseconds: Int64, to bytes: inout [UInt8]) {
        append(parts(milliseconds: milliseconds), to: &bytes)
    }

    private static func append(_ date: Parts, to bytes: inout [UInt8]) {
        bytes.append(digitsOf: Int64(date.year), width: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digitsOf: Int64(date.month), width: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(digitsOf: Int64(date.day), width: 2)
    }

    private static func appendClock(_ time: Parts, to bytes: inout [UInt8]) {
        bytes.append(digitsOf: Int64(time.hour), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digitsOf: Int64(time.minute), width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(digitsOf: Int64(time.second), width: 2)
    }
}

extension ISO8601 {
    /// Floored division: the remainder is never negative, even for a negative dividend.
    static func floorDivide(_ dividend: Int64, by divisor: Int64) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0
            ? (Int(quotient) - 1, Int(remainder + divisor)) : (Int(quotient), Int(remainder))
    }

    /// Converts days since 1970 to a date, using 400-year eras (146,097 days) whose years start on 1 March.
    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The inverse of ``civil(days:)``.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func time() -> Int64? {
            guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
                skip("T") || skip(" "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
                let second = number(2), let fraction = fraction(), let offset = offset(), index == bytes.count,
                (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
            else { return nil }
            let days = ISO8601.days(year: year, month: month, day: day)
            guard ISO8601.civil(days: days) == (year, month, day) else { return nil }
            let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
            return Int64(seconds * 1000 + fraction)
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func number(_ width: Int) -> Int? {
            guard index + width <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + width] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            index += width
            return value
        }

        /// Reads an optional fraction of a second as milliseconds; further digits are truncated.
        mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            var value = 0
            var scale = 100
            let start = index
            while let digit = number(1) {
                value += digit * scale
                scale /= 10
            }
            return index > start ? value : nil
        }

        /// Reads the offset from UTC in minutes; positive values are east of UTC.
        mutating func offset() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}

extension ISO8601 {
    /// The longest text that is parsed, in bytes.
    private static let maximumWritten = 40

    /// Parses a time as people and many clients write it. In contrast to ``milliseconds(_:)``, the time of day, the
    /// seconds, the offset from UTC and the colon within it may be missing: `2026-12-24`, `2026-12-24 18:00`,
    /// `2026-12-24T18:00+0100`.
    /// - Parameter zone: The offset from UTC in milliseconds of a time without an offset, which is passed as if it were in
    ///   UTC.
    /// - Returns: Milliseconds since 1970, or `nil` if the text has a different format or is not a valid time.
    public static func milliseconds(
        written text: some StringProtocol, zone: (_ local: Int64) -> Int64 = { _ in 0 }
    ) -> Int64? {
        guard text.utf8.count <= maximumWritten else { return nil }
        let form =
            /(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?(?: ?(?:([Zz]|UTC)|([+\-]\d\d)(?::?(\d\d))?))?/
            .asciiOnlyDigits()
        guard let match = String(text).wholeMatch(of: form) else { return nil }
        let (_, day, minutes, seconds, utc, hours, rest) = match.output
        let local = "\(day)T\(minutes ?? "00:00")\(seconds ?? ":00")"
        if let hours { return milliseconds("\(local)\(hours):\(rest ?? "00")") }
        guard let time = milliseconds(local + "Z") else { return nil }
        return utc == nil ? time - zone(time) : time
    }
}
