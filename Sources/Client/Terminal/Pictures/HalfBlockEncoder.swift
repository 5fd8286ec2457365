/// Writes pictures as half blocks (`▀`, `▄`) in two colors, which almost every terminal can show.
public enum HalfBlockEncoder {
    /// The content of a cell.
    private struct Cell {
        var mark: String
        /// `nil` for the colors of the terminal.
        var foreground, background: PicturePixels.Color?
    }

    /// The lines of a picture: a column for each pixel of its width, a line for two of its height. Where the picture is
    /// transparent, the background of the terminal remains.
    /// - Parameters:
    ///   - pixels: The picture.
    ///   - hasTrueColor: Whether the terminal shows 24-bit colors; otherwise, the palette of 256 colors is used.
    public static func lines(_ pixels: PicturePixels, hasTrueColor: Bool) -> [String] {
        stride(from: 0, to: pixels.height, by: 2).map { y in
            line((0..<pixels.width).map { cell(pixels[$0, y], pixels[$0, y + 1]) }, hasTrueColor)
        }
    }

    private static func cell(_ top: PicturePixels.Color?, _ bottom: PicturePixels.Color?) -> Cell {
        if let top { return Cell(mark: "▀", foreground: top, background: bottom) }
        return bottom.map { Cell(mark: "▄", foreground: $0) } ?? Cell(mark: " ")
    }

    /// Colors are set only where they change.
    private static func line(_ cells: [Cell], _ hasTrueColor: Bool) -> String {
        var text = ""
        var shown = Cell(mark: " ")
        for cell in cells {
            var codes: [String] = []
            if let color = cell.foreground, color != shown.foreground {
                codes.append("38;" + code(color, hasTrueColor))
                shown.foreground = color
            }
            if cell.background != shown.background {
                codes.append(cell.background.map { "48;" + code($0, hasTrueColor) } ?? "49")
                shown.background = cell.background
            }
            text += codes.isEmpty ? cell.mark : "\u{1B}[\(codes.joined(separator: ";"))m" + cell.mark
        }
        return shown.foreground == nil ? text : text + "\u{1B}[0m"
    }

    private static func code(_ color: PicturePixels.Color, _ hasTrueColor: Bool) -> String {
        hasTrueColor ? "2;\(color.red);\(color.green);\(color.blue)" : "5;\(IndexedColor.nearest(to: color))"
    }
}

/// The palette of 256 colors that xterm introduced: a cube with six levels per channel from 16 on, and 24 grays from 232
/// on. The first 16 depend on the user's settings.
enum IndexedColor {
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// The number of the most similar color.
    static func nearest(to color: PicturePixels.Color) -> Int {
        let channels = [color.red, color.green, color.blue].map(Int.init)
        let cube = channels.map(nearestLevel)
        let gray = min(max(0, (channels.reduce(0, +) / 3 - 3) / 10), 23)
        let cubeDistance = distance(channels, cube.map { levels[$0] })
        let grayDistance = distance(channels, [Int](repeating: 8 + 10 * gray, count: 3))
        return grayDistance < cubeDistance ? 232 + gray : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }

    private static func nearestLevel(_ value: Int) -> Int {
        levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }

    private static func distance(_ one: [Int], _ other: [Int]) -> Int {
        zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
