import FeedImages
import Foundation
import Testing

@Suite struct BlurhashTests {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    private static func image(_ width: Int, _ height: Int, _ color: (Int, Int) -> Pixel) -> Bitmap {
        var image = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let (pixel, start) = (color(x, y), (y * width + x) * 4)
                image.bytes.replaceSubrange(
                    start..<start + 4, with: [pixel.red, pixel.green, pixel.blue, pixel.alpha])
            }
        }
        return image
    }

    /// The decoder of the reference implementation, for one pixel: the color in linear light.
    private static func decode(_ text: String, x: Double, y: Double) -> [Double] {
        let values = text.compactMap { digits.firstIndex(of: $0) }
        let (columns, rows) = (values[0] % 9 + 1, values[0] / 9 + 1)
        let maximum = Double(values[1] + 1) / 166
        let average = values[2..<6].reduce(0) { $0 * 83 + $1 }
        var color = [average >> 16, average >> 8 & 255, average & 255].map { linear(Double($0) / 255) }
        for index in 1..<columns * rows {
            let packed = values[4 + index * 2] * 83 + values[5 + index * 2]
            let basis = cos(.pi * x * Double(index % columns)) * cos(.pi * y * Double(index / columns))
            for (channel, step) in [packed / 361, packed / 19 % 19, packed % 19].enumerated() {
                let share = (Double(step) - 9) / 9
                color[channel] += share * abs(share) * maximum * basis
            }
        }
        return color
    }

    private static func linear(_ share: Double) -> Double {
        share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }

    @Test(arguments: [
        // The average alone, as published for single colors.
        (Pixel(255, 255, 255), "00TSUA"), (Pixel(0, 0, 0), "000000"), (Pixel(255, 0, 0), "00TI:j"),
        // Transparent parts count as white.
        (Pixel.clear, "00TSUA"),
    ])
    func oneComponentIsTheAverage(_ color: Pixel, _ expected: String) {
        #expect(Blurhash.encode(Self.image(7, 5) { _, _ in color }, columns: 1, rows: 1) == expected)
    }

    @Test func aSingleColorHasNoDetails() {
        let text = Blurhash.encode(Self.image(64, 48) { _, _ in Pixel(200, 100, 50) })
        #expect(text.count == 36)
        for position in [0.0, 0.3, 0.9] {
            let color = Self.decode(text, x: position, y: position)
            for (channel, expected) in [200.0, 100, 50].enumerated() {
                #expect(abs(color[channel] - Self.linear(expected / 255)) < 0.02)
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 1), (31, 200), (640, 360), (3, 900)])
    func decodingGivesTheColorsBack(_ width: Int, _ height: Int) {
        // Dark on the left, bright on the right; redder below.
        let text = Blurhash.encode(
            Self.image(width, height) { x, y in
                Pixel(UInt8(255 * y / max(1, height - 1)), UInt8(255 * x / max(1, width - 1)), 128)
            })
        #expect(text.count == 36 && Blurhash.isValid(text))
        guard width > 1, height > 1 else { return }
        #expect(Self.decode(text, x: 0.1, y: 0.5)[1] < Self.decode(text, x: 0.9, y: 0.5)[1])
        #expect(Self.decode(text, x: 0.5, y: 0.1)[0] < Self.decode(text, x: 0.5, y: 0.9)[0])
        #expect(abs(Self.decode(text, x: 0.5, y: 0.5)[2] - Self.linear(128.0 / 255)) < 0.05)
    }

    @Test(arguments: [
        ("00TSUA", true), ("LEHV6nWB2yk8pyo0adR*.7kCMdnj", true), ("", false), ("0", false), ("00TSUAA", false),
        ("LEHV6nWB2yk8pyo0adR*.7kCMdn", false), ("00TSU\"", false), ("~0TSUA", false), ("00TSUÄ", false),
    ])
    func validityIsTheLengthThatTheFirstDigitStates(_ text: String, _ isValid: Bool) {
        #expect(Blurhash.isValid(text) == isValid)
    }
}
