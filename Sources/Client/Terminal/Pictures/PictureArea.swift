/// The place of a picture on the terminal. Pictures are scaled down to it, never up.
public struct PictureArea: Sendable, Equatable {
    /// The number of cells that the picture covers, some of them only in part.
    public let columns, rows: Int
    /// The size of the picture there, in pixels.
    public let width, height: Int

    /// The largest area with the proportions of a picture.
    /// - Parameters:
    ///   - size: The size of the picture.
    ///   - columns: The maximum width in cells.
    ///   - rows: The maximum height in cells.
    ///   - cell: The size of a cell.
    public init(of size: PictureSize, columns: Int, rows: Int, cell: CellSize) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(1, Double(columns * cell.width) / width, Double(rows * cell.height) / height)
        self.width = max(1, Int((width * scale).rounded()))
        self.height = max(1, Int((height * scale).rounded()))
        self.columns = min(columns, max(1, (self.width + cell.width / 2) / cell.width))
        self.rows = min(rows, max(1, (self.height + cell.height / 2) / cell.height))
    }
}
