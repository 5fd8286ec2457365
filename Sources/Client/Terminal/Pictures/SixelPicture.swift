/// The sixel graphics of the VT340, which foot, mlterm, mintty, Konsole, Windows Terminal and xterm support.
public enum SixelPicture {
    /// The number of pixels that a character shows, one below the other.
    private static let bandHeight = 6
    /// The character without a pixel.
    private static let blank = UInt8(ascii: "?")
    /// The shortest run of a character that is written as a count.
    private static let shortestRun = 4

    /// The escape sequence that shows a picture at the cursor, with at most 256 colors. Transparent pixels are left out.
    /// Afterwards, the cursor is in the last line of the picture.
    public static func text(_ pixels: PicturePixels) -> String {
        let palette = ColorPalette(of: pixels)
        // The background remains (P2=1), pixels are square, and the size is stated.
        var text = "\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)"
        for (index, color) in palette.colors.enumerated() { text += "#\(index);2;" + percentages(color) }
        let bands = stride(from: 0, to: pixels.height, by: bandHeight).map { band(from: $0, of: pixels, palette) }
        return text + bands.joined(separator: "-") + "\u{1B}\\"
    }

    private static func percentages(_ color: PicturePixels.Color) -> String {
        [color.red, color.green, color.blue].map { String((Int($0) * 100 + 127) / 255) }.joined(separator: ";")
    }

    /// Six rows of pixels: for each of their colors, the pixels that have it, one color over the other.
    private static func band(from top: Int, of pixels: PicturePixels, _ palette: ColorPalette) -> String {
        var rows: [Int: [UInt8]] = [:]
        let empty = [UInt8](repeating: 0, count: pixels.width)
        for y in top..<min(top + bandHeight, pixels.height) {
            for x in 0..<pixels.width {
                guard let color = pixels[x, y] else { continue }
                rows[palette.index(of: color), default: empty][x] |= 1 << UInt8(y - top)
            }
        }
        return rows.sorted { $0.key < $1.key }.map { "#\($0.key)" + encoded($0.value) }.joined(separator: "$")
    }

    /// Repeated characters are counted, and blank ones at the end are left out.
    private static func encoded(_ masks: [UInt8]) -> String {
        let length = (masks.lastIndex { $0 != 0 } ?? -1) + 1
        var text: [UInt8] = []
        var start = 0
        while start < length {
            var end = start + 1
            while end < length, masks[end] == masks[start] { end += 1 }
            let character = blank + masks[start]
            if end - start < shortestRun {
                text += repeatElement(character, count: end - start)
            } else {
                text += Array("!\(end - start)".utf8) + [character]
            }
            start = end
        }
        return String(decoding: text, as: UTF8.self)
    }
}
