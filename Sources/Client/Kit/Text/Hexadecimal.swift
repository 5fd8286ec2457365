/// Hexadecimal text.
enum Hexadecimal {
    /// Two lowercase digits per byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether a text consists of a certain number of lowercase digits.
    static func isText(_ text: some StringProtocol, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy(isDigit)
    }

    /// Whether a byte is a lowercase digit.
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
