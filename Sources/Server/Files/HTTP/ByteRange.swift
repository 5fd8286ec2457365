import FeedAPI

/// A byte range; both ends are inclusive.
package struct ByteRange: Equatable, Sendable {
    package var first: Int64
    package var last: Int64

    package init(_ first: Int64, _ last: Int64) {
        self.first = first
        self.last = last
    }

    package var count: Int64 { last - first + 1 }

    /// The value of a Content-Range header field (RFC 9110 §14.4).
    /// - Parameter size: The size of the file in bytes.
    package func contentRange(size: Int64) -> String { "bytes \(first)-\(last)/\(size)" }
}

/// The byte ranges requested by a Range header field, resolved for a file of a given size (RFC 9110 §14).
package enum ByteRanges: Equatable, Sendable {
    /// The header is malformed, has another unit or too many ranges, and is ignored.
    case ignored
    /// No range overlaps the file.
    case unsatisfiable
    /// The ranges in the requested order; merged and sorted if some of them overlap or are adjacent.
    case parts([ByteRange])

    /// The maximum number of ranges; a header with more ranges is ignored.
    package static let maximumCount = 100

    /// - Parameters:
    ///   - value: The value of the Range header field.
    ///   - size: The size of the file in bytes.
    package init(parsing value: String, size: Int64) {
        guard size > 0, let specs = Self.specs(value) else {
            self = .ignored
            return
        }
        let ranges = specs.compactMap { $0.resolve(size: size) }
        self = ranges.isEmpty ? .unsatisfiable : .parts(Self.merged(ranges))
    }

    /// A range specifier. Numbers too large for `Int64` are clamped.
    private enum Spec {
        case from(Int64, through: Int64?)
        case suffix(Int64)

        func resolve(size: Int64) -> ByteRange? {
            switch self {
            case .from(let first, let last):
                first < size ? ByteRange(first, min(last ?? size - 1, size - 1)) : nil
            case .suffix(let count):
                count > 0 ? ByteRange(max(0, size - count), size - 1) : nil
            }
        }
    }

    private static func specs(_ value: String) -> [Spec]? {
        let bytes = value.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), value[..<equals].lowercased() == "bytes" else {
            return nil
        }
        let elements = bytes[bytes.index(after: equals)...].split(separator: UInt8(ascii: ","))
            .map { Substring($0).trimmingBlanks }.filter { !$0.isEmpty }
        guard (1...maximumCount).contains(elements.count) else { return nil }
        var specs: [Spec] = []
        for element in elements {
            guard let spec = spec(element) else { return nil }
            specs.append(spec)
        }
        return specs
    }

    private static func spec(_ text: Substring) -> Spec? {
        let ends = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(Substring.init)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return number(ends[1]).map { .suffix($0) } }
        guard let first = number(ends[0]) else { return nil }
        if ends[1].isEmpty { return .from(first, through: nil) }
        guard let last = number(ends[1]), first <= last else { return nil }
        return .from(first, through: last)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.isDigits else { return nil }
        return Int64(text) ?? .max
    }

    private static func merged(_ ranges: [ByteRange]) -> [ByteRange] {
        var merged: [ByteRange] = []
        for range in ranges.sorted(by: { $0.first < $1.first }) {
            if let last = merged.last, range.first <= last.last + 1 {
                merged[merged.count - 1].last = max(last.last, range.last)
            } else {
                merged.append(range)
            }
        }
        return merged.count == ranges.count ? ranges : merged
    }
}
