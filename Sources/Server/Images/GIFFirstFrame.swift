/// The first frame of a GIF (GIF89a), decoded. Pure; the file may contain anything.
package struct GIFFirstFrame: Sendable {
    /// The size of the logical screen, enlarged to contain the frame, as in browsers.
    package let width: Int
    package let height: Int
    /// The rectangle of the frame.
    private let left: Int
    private let top: Int
    private let columns: Int
    private let rows: Int
    private let isInterlaced: Bool
    /// The colors of the indices; a missing color is transparent.
    private let palette: [PNG.Pixel]
    /// The palette indices of the frame in the order of the file. The last ones may be missing.
    private var pixels: [UInt8]
    private var decoded = 0

    /// - Parameter limit: The maximum number of pixels of the image and of the frame.
    /// - Returns: `nil` if there is no frame, or a larger one.
    package init?(_ file: [UInt8], limit: Int) {
        var reader = GIFReader(file)
        guard let screen = reader.screen(), let frame = reader.firstFrame(),
            let decoder = LZWDecoder(minimumWidth: frame.minimumWidth)
        else { return nil }
        (width, height) = (
            max(screen.width, frame.left + frame.columns), max(screen.height, frame.top + frame.rows)
        )
        // A product of two 17-bit numbers.
        guard width * height <= limit, min(frame.columns, frame.rows) > 0 else { return nil }
        (left, top, columns, rows) = (frame.left, frame.top, frame.columns, frame.rows)
        isInterlaced = frame.isInterlaced
        var colors = frame.colors ?? screen.colors
        if let clear = frame.transparent, clear < colors.count { colors[clear] = .clear }
        palette = colors + Array(repeating: .clear, count: 256 - colors.count)
        pixels = [UInt8](repeating: 0, count: columns * rows)
        var lzw = decoder
        while !lzw.isFinished, let block = reader.block() { lzw.decode(block, into: &pixels) }
        decoded = lzw.count
    }

    /// The image, scaled down to at most `size`.
    package func scaled(to size: ThumbnailSize) -> Bitmap {
        let places = places()
        var scaler = AreaScaler(width: width, height: height, to: size)
        var row = [UInt8](repeating: 0, count: width * 4)
        for y in 0..<height {
            draw(y, places, into: &row)
            scaler.add(row)
        }
        return scaler.bitmap
    }

    private func draw(_ y: Int, _ places: [Int], into row: inout [UInt8]) {
        guard y >= top, y - top < rows else {
            for index in row.indices { row[index] = 0 }
            return
        }
        let first = places[y - top] * columns
        for column in 0..<columns {
            let color = first + column < decoded ? palette[Int(pixels[first + column])] : .clear
            let start = (left + column) * 4
            row[start] = color.red
            row[start + 1] = color.green
            row[start + 2] = color.blue
            row[start + 3] = color.alpha
        }
    }

    /// For each row of the frame, its place in the file.
    private func places() -> [Int] {
        guard isInterlaced else { return Array(0..<rows) }
        let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            Array(stride(from: first, to: rows, by: step))
        }
        var places = [Int](repeating: 0, count: rows)
        for (place, row) in order.enumerated() { places[row] = place }
        return places
    }
}
