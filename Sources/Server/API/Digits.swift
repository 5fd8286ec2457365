extension StringProtocol {
    /// Whether the text consists of one or more ASCII digits. (`Int` alone would also accept a sign.)
    package var isDigits: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}
