/// The size of a thumbnail in pixels.
package struct ThumbnailSize: Sendable, Equatable {
    /// The largest width and height, which only very long images reach. JPEG allows 65,500.
    private static let longestSide = 8192

    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest size with the proportions of an image that has at most `pixels` pixels; never more than the size of
    /// the image.
    package init(fitting width: Int, _ height: Int, pixels: Int) {
        let (width, height, pixels) = (max(1, width), max(1, height), max(1, pixels))
        let scale = min(1, (Double(pixels) / (Double(width) * Double(height))).squareRoot())
        let short = max(1, Int(Double(min(width, height)) * scale))
        // The short side of a very long image is rounded up to one pixel.
        let long = max(1, min(Int(Double(max(width, height)) * scale), pixels / short, Self.longestSide))
        self.init(width: width < height ? short : long, height: width < height ? long : short)
    }
}
