import Crypto
import FeedImages
import Foundation

/// The default avatar of an account: a mirrored pattern of five by five squares, derived from the username.
package enum Identicon {
    /// The width and height in pixels.
    package static let side = 120
    private static let field = 20
    private static let margin = 10

    /// Renders the avatar for a username as a PNG image.
    package static func png(for name: String) -> [UInt8] {
        let hash = Array(SHA256.hash(data: Data(name.utf8)))
        let ink = color(hash[0], saturation: 0.55, lightness: 0.5)
        let paper = PNG.Pixel(240, 240, 244)
        return PNG.encode(width: side, height: side) { x, y in
            guard let column = index(x), let row = index(y) else { return paper }
            let mirrored = min(column, 4 - column)
            return hash[1 + mirrored * 5 + row] & 1 == 1 ? ink : paper
        }
    }

    private static func index(_ position: Int) -> Int? {
        let inside = position - margin
        return inside >= 0 && inside < field * 5 ? inside / field : nil
    }

    /// Converts a color from HSL to RGB.
    /// - Parameter hue: The hue; 0 to 255 cover the whole color circle.
    static func color(_ hue: UInt8, saturation: Double, lightness: Double) -> PNG.Pixel {
        let reach = saturation * min(lightness, 1 - lightness)
        func channel(_ offset: Double) -> UInt8 {
            let position = (offset + Double(hue) / 256 * 12).truncatingRemainder(dividingBy: 12)
            return UInt8(255 * (lightness - reach * max(-1, min(position - 3, 9 - position, 1))))
        }
        return PNG.Pixel(channel(0), channel(8), channel(4))
    }
}
