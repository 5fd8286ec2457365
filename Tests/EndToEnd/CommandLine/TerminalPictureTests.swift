import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The bytes that a terminal with cells of 10 × 20 pixels gets for a picture of 24 × 16 pixels, which are those of the
/// documented protocols. Multiplexers do not pass these protocols on.
@Suite(.hangLimit)
struct TerminalPictureTests {
    private static let size = PseudoTerminal.Size(columns: 80, rows: 24, cellWidth: 10, cellHeight: 20)

    /// The colors of the picture: sky, sail, boat and sea.
    private static let colors: [[UInt8]] = [[120, 180, 240], [255, 255, 255], [200, 30, 40], [20, 60, 140]]

    private static func color(_ x: Int, _ y: Int) -> [UInt8] {
        if y >= 11 { return colors[3] }
        if y >= 8, (y - 3...27 - y).contains(x) { return colors[2] }
        return y < 8 && (12...12 + y).contains(x) ? colors[1] : colors[0]
    }

    /// - Returns: What is between the text of the status and the description of the picture.
    private static func picture(_ name: String) async throws -> String {
        let server = try GoldenFeed.start()
        defer { server.close() }
        let home = try await GoldenFeed.login(server)
        let (before, after) = ("Out on the water 🚣\n", "    ▣ image, 24 × 16")
        let shown = try await OutputTerminal.run(
            home, ["show", "3030", "--images", name], ["COLUMNS": "", "LINES": "", "PAGER": ""], size: size)
        #expect(shown.code == 0)
        let start = try #require(shown.text.range(of: before), "\(shown.text)")
        let end = try #require(shown.text.range(of: after), "\(shown.text)")
        return String(shown.text[start.upperBound..<end.lowerBound])
    }

    /// iterm2.com/documentation-images.html: the file itself, and the cells that it covers.
    @Test func iTermGetsTheFile() async throws {
        let file = try Data(contentsOf: GoldenFeed.folder.appendingPathComponent("Feed/picture.gif"))
        let keys = "inline=1;size=\(file.count);width=2;height=1;preserveAspectRatio=1"
        #expect(
            try await Self.picture("iterm")
                == "    \u{1B}]1337;File=\(keys):\(file.base64EncodedString())\u{1B}\\\n")
    }

    /// sw.kovidgoyal.net/kitty/graphics-protocol: four bytes per pixel (f=32), because a GIF is none of its formats.
    @Test func kittyGetsPixels() async throws {
        var pixels: [UInt8] = []
        for y in 0..<16 { for x in 0..<24 { pixels += Self.color(x, y) + [255] } }
        let keys = "a=T,f=32,s=24,v=16,t=d,q=2,C=1,c=2,r=1,m=0"
        let data = Data(pixels).base64EncodedString()
        #expect(try await Self.picture("kitty") == "    \u{1B}_G\(keys);\(data)\u{1B}\\\n")
    }

    /// DEC's sixels: bands of six rows. They are read here as a terminal would, without the program's own code.
    @Test func sixelsShowThePicture() async throws {
        let text = try await Self.picture("sixel")
        let start = "    \u{1B}P0;1;0q\"1;1;24;16"
        let end = "\u{1B}\\\n"
        try #require(text.hasPrefix(start) && text.hasSuffix(end), "\(text)")
        var reader = SixelReader()
        reader.read(text.dropFirst(start.count).dropLast(end.count))
        #expect(reader.pixels.count == 24 * 16)
        for (place, register) in reader.pixels {
            let color = Self.color(place.x, place.y).map { Int((Double($0) * 100 / 255).rounded()) }
            #expect(reader.registers[register] == color, "\(place)")
        }
    }
}

/// Reads the data of a sixel picture.
private struct SixelReader {
    struct Place: Hashable { var x, y: Int }

    /// Red, green and blue in percent.
    private(set) var registers: [Int: [Int]] = [:]
    /// The registers of the pixels that are set.
    private(set) var pixels: [Place: Int] = [:]
    private var place = Place(x: 0, y: 0)
    private var register = 0

    mutating func read(_ text: Substring) {
        var rest = text
        while let next = rest.popFirst() {
            switch next {
            case "#":
                let numbers = Self.numbers(&rest)
                register = numbers.first ?? 0
                if numbers.count == 5 { registers[register] = Array(numbers.suffix(3)) }
            case "!":
                let count = Self.numbers(&rest).first ?? 0
                if let mask = rest.popFirst() { draw(mask, count) }
            case "$": place.x = 0
            case "-": place = Place(x: 0, y: place.y + 6)
            default: draw(next, 1)
            }
        }
    }

    private mutating func draw(_ character: Character, _ count: Int) {
        let mask = Int(character.asciiValue ?? 63) - 63
        for _ in 0..<count {
            for row in 0..<6 where mask >> row & 1 == 1 { pixels[Place(x: place.x, y: place.y + row)] = register }
            place.x += 1
        }
    }

    private static func numbers(_ rest: inout Substring) -> [Int] {
        let text = rest.prefix { $0.isNumber || $0 == ";" }
        rest = rest.dropFirst(text.count)
        return text.split(separator: ";").compactMap { Int($0) }
    }
}
