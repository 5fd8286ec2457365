import Crypto
package import FeedImages
import Foundation

/// The default avatar of an account, an identicon: a mirrored pattern of five by five squares, derived from the
/// username.
package enum DefaultAvatar {
    /// The width and height in pixels.
    package static let side = 120
    private static let field = 20
    private static let margin = 10

    /// Renders the avatar for a username as a PNG image.
    package static func png(for name: String) -> [UInt8] {
        let hash = Array(SHA256.hash(data: Data(name.utf8)))
        let ink = color(hash[0], saturation: 0.55, lightness: 0.5)
        let paper = Pixel(240, 240, 244)
        return PNGEncoder.encode(width: side, height: side) { x, y in
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
    static func color(_ hue: UInt8, saturation: Double, lightness: Double) -> Pixel {
        let reach = saturation * min(lightness, 1 - lightness)
        func channel(_ offset: Double) -> UInt8 {
            let position = (offset + Double(hue) / 256 * 12).truncatingRemainder(dividingBy: 12)
            return UInt8(255 * (lightness - reach * max(-1, min(position - 3, 9 - position, 1))))
        }
        return Pixel(channel(0), channel(8), channel(4))
    }
}

/// The default header image of a profile: a gradient of two colors derived from the username.
package enum DefaultHeader {
    private static let width = 600
    private static let height = 200

    /// Renders the header image for a username as a PNG image.
    package static func png(for name: String) -> [UInt8] {
        let hue = Array(SHA256.hash(data: Data(name.utf8)))[0]
        let from = DefaultAvatar.color(hue, saturation: 0.4, lightness: 0.45)
        let to = DefaultAvatar.color(hue &+ 40, saturation: 0.4, lightness: 0.6)
        return PNGEncoder.encode(width: width, height: height) { _, y in
            from.mixed(with: to, Double(y) / Double(height - 1))
        }
    }
}

/// The role badge of the classic dialect (`mbtype`): a check mark in a disc.
package enum RoleBadge: String, CaseIterable, Sendable {
    case member, admin

    /// The width and height in pixels.
    package static let side = 32

    /// Renders the badge as a PNG image.
    package func png() -> [UInt8] {
        let disc = self == .admin ? Pixel(222, 140, 20) : Pixel(52, 120, 214)
        return PNGEncoder.encode(width: Self.side, height: Self.side) { x, y in
            let (dx, dy) = (Double(x) - 15.5, Double(y) - 15.5)
            guard dx * dx + dy * dy <= 15 * 15 else { return .clear }
            return Self.isCheck(Double(x), Double(y)) ? Pixel(255, 255, 255) : disc
        }
    }

    private static func isCheck(_ x: Double, _ y: Double) -> Bool {
        near(x, y, from: (9, 17), to: (14, 22)) || near(x, y, from: (14, 22), to: (24, 11))
    }

    /// Whether a point is within two pixels of a line segment.
    private static func near(_ x: Double, _ y: Double, from a: (Double, Double), to b: (Double, Double)) -> Bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1)
        let along = max(0, min(1, ((x - a.0) * dx + (y - a.1) * dy) / (dx * dx + dy * dy)))
        let (ex, ey) = (x - a.0 - along * dx, y - a.1 - along * dy)
        return ex * ex + ey * ey <= 4
    }
}

extension Pixel {
    /// A linear interpolation between two colors.
    /// - Parameter share: The share of the other color, from 0 to 1.
    package func mixed(with other: Pixel, _ share: Double) -> Pixel {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Double(a) * (1 - share) + Double(b) * share) }
        return Pixel(mix(red, other.red), mix(green, other.green), mix(blue, other.blue), mix(alpha, other.alpha))
    }
}
