/// A number of bytes with an optional unit, such as `512KiB`, `4MiB` or `1048576`.
public struct ByteSize: Sendable {
    public let bytes: Int64

    public init(bytes: Int64) { self.bytes = bytes }

    /// - Returns: `nil` if the text is not a positive number of bytes.
    public init?(_ argument: String) {
        let units: [(String, Int64)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)]
        let unit = units.first { argument.hasSuffix($0.0) }
        let digits = unit.map { String(argument.dropLast($0.0.count)) } ?? argument
        guard let number = Int64(digits), number > 0 else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }

    /// A number of bytes with a unit, such as `1.5 MiB`.
    public static func text(_ count: Int64) -> String {
        guard count >= 1024 else { return "\(count) B" }
        var value = Double(count) / 1024
        var units = ["KiB", "MiB", "GiB", "TiB"][...]
        while value >= 1024, units.count > 1 {
            value /= 1024
            units.removeFirst()
        }
        let tenths = Int((value * 10).rounded())
        let text = value >= 100 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return text + " " + (units.first ?? "")
    }
}
