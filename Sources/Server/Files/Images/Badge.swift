import FeedImages

/// The role badge of the classic dialect (`mbtype`): a check mark in a disc.
package enum Badge: String, CaseIterable, Sendable {
    case member, admin

    /// The width and height in pixels.
    package static let side = 32

    /// Renders the badge as a PNG image.
    package func png() -> [UInt8] {
        let disc = self == .admin ? PNG.Pixel(222, 140, 20) : PNG.Pixel(52, 120, 214)
        return PNG.encode(width: Self.side, height: Self.side) { x, y in
            let (dx, dy) = (Double(x) - 15.5, Double(y) - 15.5)
            guard dx * dx + dy * dy <= 15 * 15 else { return .clear }
            return Self.isCheck(Double(x), Double(y)) ? PNG.Pixel(255, 255, 255) : disc
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
