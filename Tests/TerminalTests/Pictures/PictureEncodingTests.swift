import Foundation
import TestKit
import Testing

@testable import FeedTerminal

private let red: [UInt8] = [255, 0, 0, 255]
private let blue: [UInt8] = [0, 0, 255, 255]
private let white: [UInt8] = [255, 255, 255, 255]
private let clear: [UInt8] = [0, 0, 0, 0]

/// Pictures as text, compared with the output that terminals expect.
@Suite(.hangLimit)
struct PictureEncodingTests {
    private static func picture(_ width: Int, _ height: Int, _ pixels: [[UInt8]]) throws -> PicturePixels {
        try #require(PicturePixels(width: width, height: height, bytes: pixels.flatMap(\.self)))
    }

    /// A different color for each number below 4,096.
    private static func color(_ number: Int) -> [UInt8] {
        let blue = number * 7
        return [UInt8(number % 256), UInt8(number / 16), UInt8(blue % 256), 255]
    }

    @Test func pixelsNeedFourBytesEach() {
        #expect(PicturePixels(width: 1, height: 1, bytes: red) != nil)
        #expect(PicturePixels(width: 2, height: 1, bytes: red) == nil)
        #expect(PicturePixels(width: 0, height: 1, bytes: []) == nil)
        #expect(PicturePixels(width: -1, height: -1, bytes: red) == nil)
        #expect(PicturePixels(width: .max, height: .max, bytes: red) == nil)
    }

    @Test func sixelOfOnePixel() throws {
        let text = SixelEncoder.text(try Self.picture(1, 1, [red]))
        #expect(text == "\u{1B}P0;1;0q\"1;1;1;1#0;2;100;0;0#0@\u{1B}\\")
    }

    @Test func sixelColorsOfABandFollowEachOther() throws {
        let text = SixelEncoder.text(try Self.picture(2, 2, [red, blue, blue, red]))
        #expect(text == "\u{1B}P0;1;0q\"1;1;2;2#0;2;100;0;0#1;2;0;0;100#0@A$#1A@\u{1B}\\")
    }

    /// Repetitions are counted, transparent pixels are left out, and the seventh row starts a band.
    @Test func sixelBandsAndRuns() throws {
        let row = [red, red, red, red, clear]
        let pixels = [[[UInt8]]](repeating: row, count: 6).flatMap(\.self) + [blue, blue, blue, blue, clear]
        let text = SixelEncoder.text(try Self.picture(5, 7, pixels))
        #expect(text == "\u{1B}P0;1;0q\"1;1;5;7#0;2;100;0;0#1;2;0;0;100#0!4~-#1!4@\u{1B}\\")
        let empty = SixelEncoder.text(try Self.picture(1, 1, [clear]))
        #expect(empty == "\u{1B}P0;1;0q\"1;1;1;1\u{1B}\\")
    }

    @Test func paletteHasAtMost256Colors() throws {
        let pixels = try Self.picture(64, 64, (0..<4096).map(Self.color))
        let palette = ColorPalette(of: pixels)
        #expect(palette.colors.count == 256)
        for y in 0..<64 {
            for x in 0..<64 {
                let color = try #require(pixels[x, y])
                let shown = palette.colors[palette.index(of: color)]
                let distance = abs(Int(color.red) - Int(shown.red)) + abs(Int(color.green) - Int(shown.green))
                #expect(distance < 128, "\(color) is shown as \(shown)")
            }
        }
        let registers = SixelEncoder.text(pixels).matches(of: /#(\d+);2;/).compactMap { Int($0.1) }
        #expect(registers == Array(0..<256))
        #expect(ColorPalette(of: pixels, maximum: 1).colors.count == 1)
    }

    /// Few colors stay as they are.
    @Test func paletteOfFewColorsIsExact() throws {
        let palette = ColorPalette(of: try Self.picture(2, 2, [red, [254, 0, 0, 255], clear, red]))
        #expect(palette.colors.map(\.red) == [255, 254])
    }

    @Test func halfBlocksInTrueColor() throws {
        let pixels = try Self.picture(2, 3, [red, red, red, blue, clear, white])
        #expect(
            HalfBlockEncoder.lines(pixels, hasTrueColor: true) == [
                "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀\u{1B}[48;2;0;0;255m▀\u{1B}[0m",
                " \u{1B}[38;2;255;255;255m▀\u{1B}[0m",
            ])
        let lower = try Self.picture(2, 2, [clear, clear, clear, red])
        #expect(HalfBlockEncoder.lines(lower, hasTrueColor: true) == [" \u{1B}[38;2;255;0;0m▄\u{1B}[0m"])
    }

    /// A transparent half gets the background of the terminal back.
    @Test func halfBlocksIn256Colors() throws {
        let pixels = try Self.picture(2, 2, [red, red, blue, clear])
        #expect(
            HalfBlockEncoder.lines(pixels, hasTrueColor: false) == [
                "\u{1B}[38;5;196;48;5;21m▀\u{1B}[49m▀\u{1B}[0m"
            ])
    }

    @Test(arguments: [1, 2, 7, 40])
    func halfBlocksHaveTheWidthOfThePicture(width: Int) throws {
        let pixels = (0..<width * 5).map { $0 % 3 == 0 ? clear : Self.color($0) }
        let lines = HalfBlockEncoder.lines(try Self.picture(width, 5, pixels), hasTrueColor: true)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { TextWidth.columns(ofOutput: $0) == width })
    }

    @Test(
        arguments: [
            ([0, 0, 0], 16), ([255, 0, 0], 196), ([95, 135, 175], 67), ([128, 128, 128], 244), ([8, 8, 8], 232),
            ([255, 255, 255], 231),
        ] as [([UInt8], Int)])
    func nearestIndexedColor(channels: [UInt8], index: Int) {
        let color = PicturePixels.Color(red: channels[0], green: channels[1], blue: channels[2])
        #expect(IndexedColor.nearest(to: color) == index)
    }

    @Test func kittyReceivesPixels() throws {
        let text = KittyEncoder.text(pixels: try Self.picture(2, 1, [red, clear]), columns: 3, rows: 1)
        #expect(text == "\u{1B}_Ga=T,f=32,s=2,v=1,t=d,q=2,C=1,c=3,r=1,m=0;/wAA/wAAAAA=\u{1B}\\")
    }

    @Test(
        arguments: [
            ("truecolor", true), ("24bit", true), ("TrueColor", true), ("", false), ("256", false), (nil, false),
        ] as [(String?, Bool)])
    func trueColorIsStatedByTheTerminal(value: String?, isExpected: Bool) {
        #expect(TerminalCapabilities.hasTrueColor(environment: value.map { ["COLORTERM": $0] } ?? [:]) == isExpected)
    }
}
