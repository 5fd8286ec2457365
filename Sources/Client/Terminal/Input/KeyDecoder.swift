/// Decodes what a terminal sends for keys. A sequence or a character may be divided between calls.
package struct KeyDecoder: Sendable {
    /// The maximum size of a pasted text in bytes; the rest is ignored.
    static let maximumPaste = 1 << 20
    /// Longer sequences do not come from keys.
    private static let maximumSequence = 32
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    /// The text that is being pasted; `nil` outside of a paste.
    private var pasted: [UInt8]?

    package init() {}

    /// Whether bytes are pending that may be the key Escape, or the start of a sequence. After a short while without
    /// further bytes, ``flush()`` decides for the key.
    package var isPending: Bool { pasted == nil && !pending.isEmpty }

    /// The keys that are complete.
    package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { keys += take(byte) }
        return keys
    }

    /// The key Escape if it is pending; whatever else is incomplete is dropped.
    package mutating func flush() -> [Key] {
        guard isPending else { return [] }
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    private mutating func take(_ byte: UInt8) -> [Key] {
        if pasted != nil { return takePasted(byte) }
        // A sequence is broken off by the next one.
        if byte == 0x1B, pending.count > 1 { pending = [] }
        pending.append(byte)
        guard let first = pending.first else { return [] }
        if first == 0x1B { return escape() }
        return first < 0x80 ? single(first) : character(first)
    }

    private mutating func takePasted(_ byte: UInt8) -> [Key] {
        pasted?.append(byte)
        guard byte == UInt8(ascii: "~"), pasted?.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) == true
        else {
            dropExcess()
            return []
        }
        let text = pasted?.dropLast(Self.pasteEnd.count) ?? []
        pasted = nil
        return [.paste(String(decoding: text, as: UTF8.self))]
    }

    /// Of what exceeds the limit, keeps only the last bytes, with which the end may begin.
    private mutating func dropExcess() {
        guard let count = pasted?.count, count >= Self.maximumPaste + Self.pasteEnd.count else { return }
        pasted?.remove(at: Self.maximumPaste)
    }

    private mutating func single(_ byte: UInt8) -> [Key] {
        pending = []
        switch byte {
        case 0x0D, 0x0A: return [.enter]
        case 0x09: return [.tab]
        case 0x08, 0x7F: return [.backspace]
        case 0: return []
        case 1..<0x1B: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
        case ..<0x20: return []
        default: return [.character(Character(Unicode.Scalar(byte)))]
        }
    }

    private mutating func character(_ first: UInt8) -> [Key] {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let isValid = first >= 0xC2 && first < 0xF5 && pending.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        guard isValid else {
            // The last byte may begin something valid.
            let last = pending.count > 1 ? pending.last : nil
            pending = []
            return last.map { take($0) } ?? []
        }
        guard pending.count == length else { return [] }
        defer { pending = [] }
        return String(validating: pending, as: UTF8.self)?.first.map { [.character($0)] } ?? []
    }

    private mutating func escape() -> [Key] {
        guard pending.count > 1 else { return [] }
        let kind = pending[1]
        if kind == 0x1B {
            pending = [0x1B]
            return [.escape]
        }
        guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
            // Alt together with a key is that key after Escape.
            pending = []
            return [.escape] + take(kind)
        }
        guard pending.count > 2, let last = pending.last else { return [] }
        guard (0x40...0x7E).contains(last) else {
            if pending.count > Self.maximumSequence { pending = [] }
            return []
        }
        let parameters = pending[2..<(pending.count - 1)]
        pending = []
        return sequence(last, String(decoding: parameters, as: UTF8.self))
    }

    /// - Parameter parameters: The number of the key, possibly followed by those of Shift and Ctrl.
    private mutating func sequence(_ last: UInt8, _ parameters: String) -> [Key] {
        switch last {
        case UInt8(ascii: "A"): return [.up]
        case UInt8(ascii: "B"): return [.down]
        case UInt8(ascii: "C"): return [.right]
        case UInt8(ascii: "D"): return [.left]
        case UInt8(ascii: "H"): return [.home]
        case UInt8(ascii: "F"): return [.end]
        case UInt8(ascii: "Z"): return [.backTab]
        case UInt8(ascii: "M"): return [.enter]
        case UInt8(ascii: "~"): return numbered(Int(parameters.prefix { $0 != ";" }))
        default: return []
        }
    }

    private mutating func numbered(_ number: Int?) -> [Key] {
        switch number {
        case 1, 7: return [.home]
        case 3: return [.delete]
        case 4, 8: return [.end]
        case 5: return [.pageUp]
        case 6: return [.pageDown]
        case 200:
            pasted = []
            return []
        default: return []
        }
    }
}

/// A key, or text that was pasted.
package enum Key: Equatable, Sendable {
    case character(Character)
    /// A letter together with Ctrl, in lowercase.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case paste(String)
}
