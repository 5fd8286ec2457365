import Foundation

/// A progress bar as a line of text. Pure.
public struct ProgressBar: Sendable {
    /// The unit of the amounts.
    public enum Unit: Sendable { case bytes, items }

    private let label: String
    private let total: Int64?
    private let unit: Unit

    /// - Parameters:
    ///   - label: A description of the work; it is filtered by ``SafeText``.
    ///   - total: The final amount, if known.
    public init(label: String, total: Int64?, unit: Unit = .bytes) {
        self.label = SafeText.line(label)
        self.total = total
        self.unit = unit
    }

    /// - Parameters:
    ///   - done: The amount so far.
    ///   - total: The final amount, if it was not known earlier.
    ///   - rate: The amount per second, if known.
    ///   - columns: The width of the line.
    ///   - note: Text at the end, such as the number of retries.
    public func line(done: Int64, total: Int64? = nil, rate: Double?, columns: Int, note: String = "") -> String {
        let total = total ?? self.total
        var parts = [amount(done) + (total.map { " of " + amount($0) } ?? "")]
        if let rate, rate > 0 {
            parts.append(amount(Int64(saturating: rate)) + "/s")
            if let total, total > done {
                parts.append(Self.duration(seconds: (Double(total) - Double(done)) / rate) + " left")
            }
        }
        if !note.isEmpty { parts.append(note) }
        let tail = "  " + parts.joined(separator: "  ")
        let head = DisplayWidth.truncated(label, to: max(8, columns / 3)) + " "
        guard let total, total > 0 else { return DisplayWidth.truncated(head + tail, to: columns) }
        let fraction = max(0, min(1, Double(done) / Double(total)))
        let percent =
            String(repeating: " ", count: max(0, 4 - "\(Int(fraction * 100))%".count)) + "\(Int(fraction * 100))%"
        let room = columns - DisplayWidth.of(head) - DisplayWidth.of(tail) - percent.count - 3
        guard room >= 5 else { return DisplayWidth.truncated(head + percent + tail, to: columns) }
        let filled = Int(fraction * Double(room))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return head + bar + " " + percent + tail
    }

    private func amount(_ value: Int64) -> String { unit == .bytes ? Self.bytes(value) : String(value) }

    /// A number of bytes with a unit, such as `1.5 MiB`.
    public static func bytes(_ count: Int64) -> String {
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

    /// A duration such as `42s`, `3m 05s` or `2h 10m`.
    public static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 3_600_000 else { return "?" }
        let whole = Int(max(0, seconds).rounded(.up))
        if whole < 60 { return "\(whole)s" }
        let minutes = whole / 60
        if minutes < 60 { return "\(minutes)m \(whole % 60 < 10 ? "0" : "")\(whole % 60)s" }
        return "\(minutes / 60)h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
    }
}

extension Int64 {
    /// The integer part, clamped to the bounds of the type; 0 for NaN. `Int64(_:)` traps on such values.
    package init(saturating value: Double) {
        self = Int64(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
