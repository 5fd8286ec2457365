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
