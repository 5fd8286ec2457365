/// Names of files that are being written, such as `NAME.new-0a1b2c3d`. They cannot be predicted, and are recognized later:
/// a process that is killed leaves its file behind.
enum TemporaryName {
    /// What follows the name of the finished file, in bytes.
    static let suffixLength = mark.utf8.count + randomDigits

    private static let mark = ".new-"
    private static let randomDigits = 8
    private static let maximumDigits = 24

    /// A new name for the temporary file of `name`.
    static func make(for name: String) -> String {
        let random = UInt32.random(in: 0 ... .max)
        return name + mark + Hexadecimal.text(withUnsafeBytes(of: random) { Array($0) })
    }

    /// The name that a temporary file was to get, also if an earlier version, which used decimal numbers, has written it.
    /// - Returns: `nil` if the name is not that of a temporary file.
    static func finalName(of temporary: String) -> String? {
        guard let found = temporary.utf8.ranges(of: mark.utf8).last else { return nil }
        let random = temporary.utf8[found.upperBound...]
        guard (1...maximumDigits).contains(random.count),
            random.allSatisfy({ $0 == UInt8(ascii: "-") || Hexadecimal.isDigit($0) })
        else { return nil }
        return String(temporary[..<found.lowerBound])
    }
}
