/// Writes pictures as sixel graphics of the VT340, which foot, mlterm, mintty, Konsole, Windows Terminal and xterm
/// support.
public enum SixelEncoder {
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

/// The colors that stand for all colors of a picture: its own, if there are few enough; otherwise those of median cut,
/// which repeatedly halves the colors of the picture until there are enough groups, and takes the average of each.
struct ColorPalette: Sendable {
    /// The colors of a picture whose upper five bits per channel are the same.
    private struct Group {
        let key: Int
        var count = 0
        var sums = [0, 0, 0]
    }

    private(set) var colors: [PicturePixels.Color] = []
    /// The index of each color, if there are few.
    private var exact: [PicturePixels.Color: Int] = [:]
    /// The index for each key of a group.
    private var indices: [Int] = []

    /// - Parameter maximum: The largest number of colors.
    init(of pixels: PicturePixels, maximum: Int = 256) {
        guard !setExact(pixels, max(1, maximum)) else { return }
        var indices = [Int](repeating: 0, count: 1 << 15)
        for (index, box) in Self.boxes(of: Self.groups(of: pixels), max(1, maximum)).enumerated() {
            for group in box { indices[group.key] = index }
            colors.append(Self.average(of: box))
        }
        self.indices = indices
    }

    /// The index of the palette color closest to a color of the picture.
    func index(of color: PicturePixels.Color) -> Int {
        indices.isEmpty ? exact[color] ?? 0 : indices[Self.key(of: color)]
    }

    /// - Returns: Whether the palette is complete.
    private mutating func setExact(_ pixels: PicturePixels, _ maximum: Int) -> Bool {
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                guard let color = pixels[x, y], exact[color] == nil else { continue }
                guard colors.count < maximum else {
                    (colors, exact) = ([], [:])
                    return false
                }
                exact[color] = colors.count
                colors.append(color)
            }
        }
        return true
    }

    private static func key(of color: PicturePixels.Color) -> Int {
        Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)
    }

    private static func groups(of pixels: PicturePixels) -> [Group] {
        var groups = (0..<1 << 15).map { Group(key: $0) }
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                guard let color = pixels[x, y] else { continue }
                let key = key(of: color)
                groups[key].count += 1
                groups[key].sums[0] += Int(color.red)
                groups[key].sums[1] += Int(color.green)
                groups[key].sums[2] += Int(color.blue)
            }
        }
        return groups.filter { $0.count > 0 }
    }

    private static func boxes(of groups: [Group], _ maximum: Int) -> [[Group]] {
        var boxes = [groups]
        var sizes = [groups.reduce(0) { $0 + $1.count }]
        while boxes.count < maximum {
            let divisible = boxes.indices.filter { boxes[$0].count > 1 }
            guard let largest = divisible.max(by: { sizes[$0] < sizes[$1] }) else { break }
            let (low, high) = halves(of: boxes[largest], sizes[largest])
            boxes[largest] = low
            boxes.append(high)
            sizes[largest] = low.reduce(0) { $0 + $1.count }
            sizes.append(high.reduce(0) { $0 + $1.count })
        }
        return boxes
    }

    /// Two parts with about the same number of pixels, none of them empty, divided along the widest channel.
    private static func halves(of box: [Group], _ size: Int) -> (low: [Group], high: [Group]) {
        let shift = [10, 5, 0].max { range(of: box, $0) < range(of: box, $1) } ?? 0
        let sorted = box.sorted { channel($0, shift) < channel($1, shift) }
        var (count, split) = (0, 0)
        while split < sorted.count - 1, count < size / 2 || split == 0 {
            count += sorted[split].count
            split += 1
        }
        return (Array(sorted[..<split]), Array(sorted[split...]))
    }

    private static func channel(_ group: Group, _ shift: Int) -> Int { group.key >> shift & 31 }

    private static func range(of box: [Group], _ shift: Int) -> Int {
        let values = box.map { channel($0, shift) }
        return (values.max() ?? 0) - (values.min() ?? 0)
    }

    private static func average(of box: [Group]) -> PicturePixels.Color {
        let count = max(1, box.reduce(0) { $0 + $1.count })
        let channels = (0..<3).map { index in UInt8(clamping: box.reduce(0) { $0 + $1.sums[index] } / count) }
        return PicturePixels.Color(red: channels[0], green: channels[1], blue: channels[2])
    }
}
