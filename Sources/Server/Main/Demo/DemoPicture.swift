import FeedFiles
import FeedImages

/// A picture that some of the demo's statuses show.
struct DemoPhoto: Sendable {
    private static let (width, height) = (960, 640)

    let seed: UInt64
    let description: String

    var fileName: String { "photo-\(seed).png" }

    func png() -> [UInt8] { DemoPicture.png(seed: seed, width: Self.width, height: Self.height) }

    static let all = [
        "Two ranges of hills under a wide sky, with a pale sun low on the horizon",
        "The sun above a dark ridge; the sky grows lighter towards the ground",
        "A quiet valley between two hills, painted in flat colors",
        "Morning over the hills: the nearer one in shadow, the farther one in haze",
        "A small sun above a long, gentle slope",
        "Evening sky over two wooded hills",
        "A steep ridge in front of a lighter one, and a round sun",
        "Hills like waves, under a clear sky",
        "The last light of the day above a valley",
        "A broad hill with a second one behind it, in the colors of late summer",
    ].enumerated().map { DemoPhoto(seed: UInt64(2000 + $0.offset), description: $0.element) }
}

/// Draws a small abstract landscape with sky, sun and hills in random colors.
enum DemoPicture {
    static func png(seed: UInt64, side: Int) -> [UInt8] { png(seed: seed, width: side, height: side) }

    /// Renders a PNG image. The same seed always gives the same image.
    /// - Parameters: Sizes in pixels.
    static func png(seed: UInt64, width: Int, height: Int) -> [UInt8] {
        var random = SeededRandom(seed: seed &* 7919 &+ 17)
        let sky = (color(&random, 140...220), color(&random, 200...255))
        let hills = [color(&random, 60...150), color(&random, 30...110)]
        let sun = (x: Double.random(in: 0.2...0.8, using: &random), y: Double.random(in: 0.15...0.4, using: &random))
        let waves = hills.map { _ in Double.random(in: 0...6, using: &random) }
        let ratio = Double(width) / Double(height)
        return PNG.encode(width: width, height: height) { column, row in
            let (x, y) = (Double(column) / Double(width), Double(row) / Double(height))
            for (index, hill) in hills.enumerated().reversed() where y > ridge(x, wave: waves[index], index: index) {
                return hill
            }
            let (dx, dy) = ((x - sun.x) * ratio, y - sun.y)
            if dx * dx + dy * dy < 0.012 { return PNG.Pixel(255, 240, 200) }
            return sky.0.mixed(with: sky.1, y)
        }
    }

    /// The outline of a hill, made of two triangle waves, which give the same result on every platform.
    private static func ridge(_ x: Double, wave: Double, index: Int) -> Double {
        func triangle(_ value: Double) -> Double { abs((value - value.rounded(.down)) * 2 - 1) }
        return 0.55 + Double(index) * 0.17 + 0.12 * triangle(x * 1.3 + wave) + 0.05 * triangle(x * 3.1 + wave * 2)
    }

    private static func color(_ random: inout SeededRandom, _ range: ClosedRange<Int>) -> PNG.Pixel {
        func channel(_ random: inout SeededRandom) -> UInt8 { UInt8(Int.random(in: range, using: &random)) }
        return PNG.Pixel(channel(&random), channel(&random), channel(&random))
    }
}
