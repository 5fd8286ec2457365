import Foundation

/// Decodes a blurhash at a point, as the reference implementation does.
enum BlurhashDecoder {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    /// The average color in sRGB.
    static func average(_ text: String) -> (red: Int, green: Int, blue: Int) {
        let color = values(text)[2..<6].reduce(0) { $0 * 83 + $1 }
        return (color >> 16, color >> 8 & 255, color & 255)
    }

    /// The green part of the color at a point in sRGB, from 0 to 255.
    static func brightness(_ text: String, x: Double, y: Double) -> Int {
        let values = values(text)
        let (columns, rows) = (values[0] % 9 + 1, values[0] / 9 + 1)
        let maximum = Double(values[1] + 1) / 166
        var light = linear(Double(average(text).green) / 255)
        for index in 1..<columns * rows {
            let packed = values[4 + index * 2] * 83 + values[5 + index * 2]
            let share = (Double(packed / 19 % 19) - 9) / 9
            let basis = cos(.pi * x * Double(index % columns)) * cos(.pi * y * Double(index / columns))
            light += share * abs(share) * maximum * basis
        }
        let clamped = max(0, min(1, light))
        return Int((clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * pow(clamped, 1 / 2.4) - 0.055) * 255)
    }

    private static func values(_ text: String) -> [Int] { text.compactMap { digits.firstIndex(of: $0) } }

    private static func linear(_ share: Double) -> Double {
        share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}
