/// Scales an image down, row by row. Each pixel of the result is the average of the area that it covers.
struct ImageScaler {
    private let width: Int
    private let height: Int
    private let target: ThumbnailSize
    /// One row of the source, scaled horizontally: for each pixel, the sums of red, green and blue, each multiplied by
    /// alpha, and of alpha. A column of the source weighs `target.width`, so no fractions are needed.
    private var row: [UInt64]
    /// The sums of the current row of the result. A row of the source weighs `target.height`.
    private var sums: [UInt64]
    private var rowsRead = 0
    private var rowsWritten = 0
    private var result: Bitmap

    /// - Parameter target: At most the size of the source.
    init(width: Int, height: Int, to target: ThumbnailSize) {
        precondition(target.width <= width && target.height <= height, "images are only scaled down")
        self.width = width
        self.height = height
        self.target = target
        row = [UInt64](repeating: 0, count: target.width * 4)
        sums = row
        result = Bitmap(width: target.width, height: target.height)
    }

    /// The result, once all rows have been added.
    var bitmap: Bitmap { result }

    /// Adds the next row of the source: `width` pixels of four bytes.
    mutating func add(_ pixels: [UInt8]) {
        guard rowsRead < height, pixels.count >= width * 4 else { return }
        scale(pixels)
        // In units of 1 / (source height · target height) of the height, a row of the source begins here.
        var start = rowsRead * target.height
        let end = start + target.height
        rowsRead += 1
        while start < end {
            let boundary = (rowsWritten + 1) * height
            let weight = UInt64(min(end, boundary) - start)
            for index in sums.indices { sums[index] += row[index] * weight }
            start = min(end, boundary)
            if start == boundary { finishRow() }
        }
    }

    private mutating func scale(_ pixels: [UInt8]) {
        for index in row.indices { row[index] = 0 }
        var column = 0
        var position = 0
        var boundary = width
        for x in 0..<width {
            let end = position + target.width
            let first = min(end, boundary) - position
            addPixel(pixels, x, to: column, UInt64(first))
            if end >= boundary {
                column += 1
                boundary += width
                if first < target.width { addPixel(pixels, x, to: column, UInt64(target.width - first)) }
            }
            position = end
        }
    }

    @inline(__always)
    private mutating func addPixel(_ pixels: [UInt8], _ x: Int, to column: Int, _ weight: UInt64) {
        let (from, to) = (x * 4, column * 4)
        let alpha = UInt64(pixels[from + 3]) * weight
        row[to] += UInt64(pixels[from]) * alpha
        row[to + 1] += UInt64(pixels[from + 1]) * alpha
        row[to + 2] += UInt64(pixels[from + 2]) * alpha
        row[to + 3] += alpha
    }

    private mutating func finishRow() {
        let area = UInt64(width) * UInt64(height)
        let first = rowsWritten * target.width * 4
        for start in stride(from: 0, to: sums.count, by: 4) {
            let alpha = sums[start + 3]
            if alpha > 0 {
                for channel in 0..<3 {
                    result.bytes[first + start + channel] = UInt8((sums[start + channel] + alpha / 2) / alpha)
                }
            }
            result.bytes[first + start + 3] = UInt8((alpha + area / 2) / area)
            for channel in 0..<4 { sums[start + channel] = 0 }
        }
        rowsWritten += 1
    }
}

extension Bitmap {
    /// The image, scaled down to at most `size`.
    package func scaled(to size: ThumbnailSize) -> Bitmap {
        var scaler = ImageScaler(width: width, height: height, to: size)
        for y in 0..<height { scaler.add(Array(bytes[y * width * 4..<(y + 1) * width * 4])) }
        return scaler.bitmap
    }
}

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
