import Crypto
package import FeedImages
import Foundation

/// The default header image of a profile: a gradient of two colors derived from the username.
package enum Banner {
    private static let width = 600
    private static let height = 200

    /// Renders the header image for a username as a PNG image.
    package static func png(for name: String) -> [UInt8] {
        let hue = Array(SHA256.hash(data: Data(name.utf8)))[0]
        let from = Identicon.color(hue, saturation: 0.4, lightness: 0.45)
        let to = Identicon.color(hue &+ 40, saturation: 0.4, lightness: 0.6)
        return PNG.encode(width: width, height: height) { _, y in from.mixed(with: to, Double(y) / Double(height - 1)) }
    }
}

extension PNG.Pixel {
    /// A linear interpolation between two colors.
    /// - Parameter share: The share of the other color, from 0 to 1.
    package func mixed(with other: PNG.Pixel, _ share: Double) -> PNG.Pixel {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Double(a) * (1 - share) + Double(b) * share) }
        return PNG.Pixel(mix(red, other.red), mix(green, other.green), mix(blue, other.blue), mix(alpha, other.alpha))
    }
}
