extension Bitmap {
    /// The image as it is meant to be seen.
    /// - Parameter orientation: The value of the Exif tag `Orientation`. A value that is not defined means 1.
    package func upright(from orientation: Int) -> Bitmap {
        guard (2...8).contains(orientation) else { return self }
        let swapsSides = orientation >= 5
        let (columns, rows) = swapsSides ? (height, width) : (width, height)
        var result = Bitmap(width: columns, height: rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let from = source(ofX: x, y: y, orientation) * 4
                let to = (y * columns + x) * 4
                for channel in 0..<4 { result.bytes[to + channel] = bytes[from + channel] }
            }
        }
        return result
    }

    /// The index of the pixel that an upright image shows at a position.
    private func source(ofX x: Int, y: Int, _ orientation: Int) -> Int {
        let (right, bottom) = (width - 1, height - 1)
        let (column, row) =
            switch orientation {
            case 2: (right - x, y)
            case 3: (right - x, bottom - y)
            case 4: (x, bottom - y)
            case 5: (y, x)
            case 6: (y, bottom - x)
            case 7: (right - y, bottom - x)
            default: (right - y, x)
            }
        return row * width + column
    }
}
