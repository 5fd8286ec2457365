/// A line that is typed without being shown, key by key. Pure.
public struct SecretLine: Sendable {
    /// What a key led to.
    public enum Step: Sendable, Equatable {
        case more, done
        /// Ctrl-C, or Ctrl-\.
        case interrupted
        /// Ctrl-D with nothing typed.
        case ended
    }

    /// As many bytes as a terminal takes for a line (`N_TTY_BUF_SIZE`); what comes after them is dropped.
    static let longest = 4096

    private var bytes: [UInt8] = []

    public init() {}

    /// What was typed.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case 0x03, 0x1C: return .interrupted
        case 0x04: return bytes.isEmpty ? .ended : .more
        case 0x0A, 0x0D: return .done
        case 0x08, 0x7F: eraseCharacter()
        case 0x15: bytes = []
        case 0..<0x20: break
        default: if bytes.count < Self.longest { bytes.append(byte) }
        }
        return .more
    }

    /// A letter may be several bytes of UTF-8.
    private mutating func eraseCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
