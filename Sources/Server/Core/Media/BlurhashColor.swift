/// The average color of a picture, from its blurhash. Pure.
///
/// A blurhash (https://github.com/woltapp/blurhash/blob/master/Algorithm.md) consists of base-83 digits: one for the
/// number of components, one for the largest AC component, four for the DC component, which is the average color in
/// sRGB, and two for each AC component.
package enum BlurhashColor {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The largest number of components, 9 × 9.
    private static let maximumSize = 80

    /// The color as `#rrggbb`.
    /// - Returns: `nil` if the text is not a blurhash.
    package static func average(of blurhash: String) -> String? {
        let length = blurhash.utf8.count
        guard (6...4 + 2 * (maximumSize + 1)).contains(length), let digits = digits(blurhash), let size = digits.first,
            size <= maximumSize, length == 4 + 2 * (size % 9 + 1) * (size / 9 + 1)
        else { return nil }
        let color = digits[2..<6].reduce(0) { $0 * 83 + $1 }
        guard color <= 0xFFFFFF else { return nil }
        // The seventh digit keeps leading zeros.
        return "#" + String(color | 0x100_0000, radix: 16).dropFirst()
    }

    private static func digits(_ text: String) -> [Int]? {
        let digits = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        return digits.count == text.utf8.count ? digits : nil
    }
}
