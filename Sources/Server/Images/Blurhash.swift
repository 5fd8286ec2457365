import Foundation

/// A placeholder for an image, in about 36 characters: the lowest frequencies of its colors (blurha.sh).
package enum Blurhash {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    /// The side in pixels of the image that is analyzed. More would not change the result visibly.
    private static let side = 32

    /// Encodes an image, of which transparent parts count as white.
    /// - Parameters:
    ///   - columns: The number of components from left to right, 1 to 9.
    ///   - rows: The number of components from top to bottom, 1 to 9.
    package static func encode(_ image: Bitmap, columns: Int = 4, rows: Int = 4) -> String {
        let size = ThumbnailSize(width: min(image.width, side), height: min(image.height, side))
        let pixels = image.scaled(to: size)
        var factors: [Color] = []
        for row in 0..<rows {
            for column in 0..<columns { factors.append(factor(pixels, column, row)) }
        }
        return text(factors, columns: columns, rows: rows)
    }

    /// Whether a text has the form of a blurhash.
    package static func isValid(_ text: String) -> Bool {
        let values = text.compactMap { digits.firstIndex(of: $0) }
        guard values.count == text.count, let first = values.first else { return false }
        return first < 81 && values.count == 4 + 2 * (first % 9 + 1) * (first / 9 + 1)
    }

    private static func text(_ factors: [Color], columns: Int, rows: Int) -> String {
        let (average, details) = (factors[0], factors.dropFirst())
        let peak = details.map { max(abs($0.red), abs($0.green), abs($0.blue)) }.max()
        let quantizedPeak = peak.map { Int(max(0, min(82, ($0 * 166 - 0.5).rounded(.down)))) } ?? 0
        // Without details, decoders ignore the maximum.
        let maximum = peak == nil ? 1 : Double(quantizedPeak + 1) / 166
        let head = base83(columns - 1 + (rows - 1) * 9, 1) + base83(quantizedPeak, 1) + base83(average.encoded, 4)
        return details.reduce(into: head) { $0 += base83($1.encoded(maximum: maximum), 2) }
    }

    /// The amount of one frequency in an image (a discrete cosine transform). A pixel is at its center, because the
    /// image has been scaled down; at its full size, half a pixel makes no difference.
    private static func factor(_ image: Bitmap, _ column: Int, _ row: Int) -> Color {
        var sum = Color()
        for y in 0..<image.height {
            let vertical = cos(.pi * Double(row) * (Double(y) + 0.5) / Double(image.height))
            for x in 0..<image.width {
                let horizontal = cos(.pi * Double(column) * (Double(x) + 0.5) / Double(image.width))
                sum.add(Color(image[x, y]), horizontal * vertical)
            }
        }
        let scale = (column == 0 && row == 0 ? 1 : 2) / Double(image.width * image.height)
        return Color(red: sum.red * scale, green: sum.green * scale, blue: sum.blue * scale)
    }

    private static func base83(_ value: Int, _ length: Int) -> String {
        var (rest, text) = (value, "")
        for _ in 0..<length {
            text = String(digits[rest % 83]) + text
            rest /= 83
        }
        return text
    }
}

extension Blurhash {
    /// Linear light.
    private struct Color {
        var red = 0.0
        var green = 0.0
        var blue = 0.0

        init(red: Double = 0, green: Double = 0, blue: Double = 0) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// A pixel in front of white.
        init(_ pixel: Pixel) {
            let alpha = Double(pixel.alpha) / 255
            func light(_ channel: UInt8) -> Double { Self.linear[Int(channel)] * alpha + 1 - alpha }
            self.init(red: light(pixel.red), green: light(pixel.green), blue: light(pixel.blue))
        }

        mutating func add(_ other: Color, _ weight: Double) {
            red += other.red * weight
            green += other.green * weight
            blue += other.blue * weight
        }

        /// The color as 24 bits of sRGB.
        var encoded: Int { Self.sRGB(red) << 16 | Self.sRGB(green) << 8 | Self.sRGB(blue) }

        /// The differences in 19 steps per channel.
        func encoded(maximum: Double) -> Int {
            func quantized(_ value: Double) -> Int {
                let share = value / maximum
                let root = abs(share).squareRoot() * (share < 0 ? -1 : 1)
                return Int(max(0, min(18, (root * 9 + 9.5).rounded(.down))))
            }
            return quantized(red) * 19 * 19 + quantized(green) * 19 + quantized(blue)
        }

        /// The light of each value of an sRGB channel (IEC 61966-2-1).
        private static let linear = (0...255).map { value in
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }

        private static func sRGB(_ light: Double) -> Int {
            let light = max(0, min(1, light))
            return Int((light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255 + 0.5)
        }
    }
}
