/// Edits a line that is typed without echo, key by key. Pure.
public struct PasswordLineEditor: Sendable {
    /// The effect of a key.
    public enum Step: Sendable, Equatable {
        case more, done
        /// Ctrl-C, or Ctrl-\.
        case interrupted
        /// Ctrl-D on an empty line.
        case ended
    }

    /// The longest line of a terminal in bytes (`N_TTY_BUF_SIZE` of Linux); further bytes are ignored.
    static let maximumLength = 4096

    private var bytes: [UInt8] = []

    public init() {}

    /// The line.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case 0x03, 0x1C: return .interrupted
        case 0x04: return bytes.isEmpty ? .ended : .more
        case 0x0A, 0x0D: return .done
        case 0x08, 0x7F: eraseCharacter()
        case 0x15: bytes = []
        case 0..<0x20: break
        default: if bytes.count < Self.maximumLength { bytes.append(byte) }
        }
        return .more
    }

    /// In UTF-8, a character may consist of several bytes.
    private mutating func eraseCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
