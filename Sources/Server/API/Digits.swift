extension StringProtocol {
    /// Whether this is made of the digits 0 to 9 and nothing else, at least one: `Int` alone would take a sign.
    package var isDigits: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}
