import NIOCore

/// What separates the parts of a form (RFC 2046 §5.1.1): a line end, two dashes and the boundary.
struct MultipartDelimiter {
    /// What stands after a boundary.
    enum Ending {
        case nextPart(length: Int)
        case close(length: Int)
        case content
        case needMore
    }

    /// Blanks that are let go between a boundary and its line end.
    private static let maximumPadding = 64

    /// With its dashes.
    let boundary: [UInt8]
    /// CR LF, unless the first boundary says otherwise.
    var lineEnd: [UInt8] = [13, 10] {
        didSet { bytes = lineEnd + boundary }
    }
    private(set) var bytes: [UInt8]

    init(boundary: String) {
        let dashed = Array("--".utf8) + Array(boundary.utf8)
        self.boundary = dashed
        bytes = [13, 10] + dashed
    }

    /// Looks at what follows a boundary: two dashes close, blanks and a line end open the next part.
    func ending(of rest: ByteBufferView, anyLineEnd: Bool = false) -> Ending {
        guard let first = rest.first else { return .needMore }
        if first == 45 {
            guard rest.count > 1 else { return .needMore }
            return rest[rest.startIndex + 1] == 45 ? .close(length: 2) : .content
        }
        let padding = rest.prefix(Self.maximumPadding + 1).prefix { $0 == 32 || $0 == 9 }.count
        guard padding <= Self.maximumPadding else { return .content }
        let tail = rest.dropFirst(padding)
        for end in anyLineEnd ? [[13, 10], [10]] : [lineEnd] {
            if tail.starts(with: end) { return .nextPart(length: padding + end.count) }
            if tail.count < end.count, end.starts(with: tail) { return .needMore }
        }
        return .content
    }
}

extension ByteBufferView {
    /// The offset of `pattern`, or `nil`.
    /// - Parameter start: The offset to begin at.
    func offset(of pattern: [UInt8], from start: Int = 0) -> Int? {
        withUnsafeBytes { bytes in
            var index = start
            while index + pattern.count <= bytes.count {
                guard let hit = bytes[index...(bytes.count - pattern.count)].firstIndex(of: pattern[0]) else {
                    return nil
                }
                if pattern.indices.dropFirst().allSatisfy({ bytes[hit + $0] == pattern[$0] }) { return hit }
                index = hit + 1
            }
            return nil
        }
    }
}
