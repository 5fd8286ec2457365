/// The weight of an element in a list of what a client accepts (RFC 9110 §12.4.2), such as a language or a coding.
package enum QualityValue {
    /// The weight in thousandths. It allocates no memory, because languages are compared for pages in memory, too.
    /// - Parameter parameters: What follows the element: nothing for 1, or `;q=0.8`.
    /// - Returns: `nil` if it is malformed, or has other parameters.
    package static func thousandths(_ parameters: Substring.UTF8View) -> Int? {
        var rest = parameters.drop { $0.isBlank }
        while rest.last?.isBlank == true { rest = rest.dropLast() }
        guard let semicolon = rest.popFirst() else { return 1000 }
        let parameter = rest.drop { $0.isBlank }
        guard semicolon == UInt8(ascii: ";"), parameter.first.map({ $0 | 0x20 }) == UInt8(ascii: "q"),
            parameter.dropFirst().first == UInt8(ascii: "=")
        else { return nil }
        return weight(parameter.dropFirst(2))
    }

    /// A number from 0 to 1 with up to three decimal places.
    private static func weight(_ text: Substring.UTF8View) -> Int? {
        let decimals = text.dropFirst()
        guard let whole = text.first, whole == 0x30 || whole == 0x31, text.count <= 5,
            decimals.isEmpty || decimals.first == UInt8(ascii: ".")
        else { return nil }
        var (weight, scale) = (Int(whole - 0x30) * 1000, 100)
        for byte in decimals.dropFirst() {
            guard (0x30...0x39).contains(byte) else { return nil }
            weight += Int(byte - 0x30) * scale
            scale /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}

extension UInt8 {
    /// Whether the byte is whitespace within the value of a field (OWS, RFC 9110 §5.6.3).
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
