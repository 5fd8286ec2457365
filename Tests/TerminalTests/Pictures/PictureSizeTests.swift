import Foundation
import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct PictureSizeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let file: [UInt8]
        let width: Int
        let height: Int

        var testDescription: String { name }
    }

    private static let pngHead: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    private static let webPHead = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)

    private static let rows = [
        Row(name: "PNG", file: pngHead + [0, 0, 1, 2, 0, 0, 0, 3], width: 258, height: 3),
        Row(name: "GIF", file: Array("GIF89a".utf8) + [0x2C, 1, 2, 0], width: 300, height: 2),
        Row(
            name: "JPEG",
            file: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 2, 0xFF, 0xC2, 0, 17, 8, 0, 9, 1, 0],
            width: 256, height: 9),
        Row(
            name: "lossy WebP",
            file: webPHead + Array("VP8 ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 0x10, 0x40, 0x20, 0x80],
            width: 16, height: 32),
        Row(
            name: "lossless WebP", file: webPHead + Array("VP8L".utf8) + [0, 0, 0, 0, 0x2F, 0x07, 0x40, 0, 0],
            width: 8, height: 2),
        Row(
            name: "extended WebP",
            file: webPHead + Array("VP8X".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0], width: 100, height: 50),
    ]

    @Test(arguments: rows) func sizeIsRead(_ row: Row) {
        #expect(PictureSize(of: row.file) == PictureSize(width: row.width, height: row.height))
        #expect(PictureSize(of: row.file)?.area == row.width * row.height)
        // What is cut off is not read.
        for count in 0..<row.file.count { #expect(PictureSize(of: Array(row.file.prefix(count))) == nil) }
    }

    @Test(arguments: [
        [], Array("<svg width=\"1\"/>".utf8), pngHead + [0, 0, 0, 0, 0, 0, 0, 1],
        pngHead + [0x7F, 255, 255, 255, 0, 0, 0, 1], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 9, 1, 0],
    ])
    func impossibleSizesAreRefused(_ file: [UInt8]) { #expect(PictureSize(of: file) == nil) }

    struct AreaRow: Sendable {
        let size: (Int, Int)
        let cell: CellSize
        let cells: (Int, Int)
        let pixels: (Int, Int)
    }

    @Test(arguments: [
        AreaRow(size: (640, 360), cell: .usual, cells: (48, 14), pixels: (384, 216)),
        AreaRow(size: (640, 360), cell: .halfBlock, cells: (48, 14), pixels: (48, 27)),
        AreaRow(size: (10, 10_000), cell: .usual, cells: (1, 16), pixels: (1, 256)),
        AreaRow(size: (65_535, 1), cell: .usual, cells: (48, 1), pixels: (384, 1)),
        AreaRow(size: (20, 10), cell: .usual, cells: (3, 1), pixels: (20, 10)),
        AreaRow(size: (1, 1), cell: .halfBlock, cells: (1, 1), pixels: (1, 1)),
    ])
    func picturesAreScaledDownOnly(_ row: AreaRow) throws {
        let size = try #require(PictureSize(width: row.size.0, height: row.size.1))
        let area = PictureArea(of: size, columns: 48, rows: 16, cell: row.cell)
        #expect(area.columns == row.cells.0 && area.rows == row.cells.1, "\(area)")
        #expect(area.width == row.pixels.0 && area.height == row.pixels.1, "\(area)")
    }

    /// However large a cell claims to be, a picture has a bounded number of pixels.
    @Test func cellsAreLimited() throws {
        #expect(CellSize(width: 1000, height: 0) == CellSize(width: 16, height: 1))
        let size = try #require(PictureSize(width: 65_535, height: 65_535))
        let cell = CellSize(width: .max, height: .max)
        let area = PictureArea(of: size, columns: 48, rows: 16, cell: cell)
        #expect(area.width <= 48 * 16 && area.height <= 16 * 32)
    }
}
