/// Numbers as bytes, for hand-built files.
func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

func text(_ value: String) -> [UInt8] { Array(value.utf8) }

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// The bytes of several parts, one after the other.
func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

/// Bytes that a copy must not contain.
let secret = text("SECRET <script>alert(1)</script>")

extension [UInt8] {
    /// Whether the bytes contain `pattern`.
    func contains(_ pattern: [UInt8]) -> Bool {
        guard count >= pattern.count else { return false }
        return (0...(count - pattern.count)).contains { self[$0] == pattern[0] && dropFirst($0).starts(with: pattern) }
    }

    /// The bytes with one of them changed.
    func changing(_ index: Int, to byte: UInt8) -> [UInt8] {
        var result = self
        result[index] = byte
        return result
    }

    /// The bytes with all occurrences of a text replaced by another one.
    func replacing(_ old: String, with new: String) -> [UInt8] {
        var (result, rest) = ([UInt8](), self[...])
        while let first = rest.first {
            let isMatch = rest.starts(with: text(old))
            result += isMatch ? text(new) : [first]
            rest = rest.dropFirst(isMatch ? text(old).count : 1)
        }
        return result
    }
}
