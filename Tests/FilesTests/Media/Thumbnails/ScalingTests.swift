import FeedImages
import FeedTestSupport
import TestKit
import Testing

@Suite struct ScalingTests {
    struct SizeRow: Sendable, CustomTestStringConvertible {
        let width: Int
        let height: Int
        let pixels: Int
        let expected: ThumbnailSize

        var testDescription: String { "\(width) × \(height)" }

        static let all = [
            SizeRow(width: 4000, height: 3000, pixels: 230_400, expected: .init(width: 554, height: 415)),
            SizeRow(width: 3000, height: 4000, pixels: 230_400, expected: .init(width: 415, height: 554)),
            SizeRow(width: 640, height: 360, pixels: 230_400, expected: .init(width: 640, height: 360)),
            // Never larger than the image.
            SizeRow(width: 1, height: 1, pixels: 230_400, expected: .init(width: 1, height: 1)),
            SizeRow(width: 65_535, height: 1, pixels: 230_400, expected: .init(width: 8192, height: 1)),
            SizeRow(width: 1, height: 65_535, pixels: 100, expected: .init(width: 1, height: 100)),
            SizeRow(width: 10, height: 10, pixels: 1, expected: .init(width: 1, height: 1)),
        ]
    }

    @Test(arguments: SizeRow.all) func aThumbnailHasTheProportionsAndFits(_ row: SizeRow) {
        #expect(ThumbnailSize(fitting: row.width, row.height, pixels: row.pixels) == row.expected)
    }

    @Test func noSizeExceedsTheBound() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            let width = Int.random(in: 1...65_535, using: &random)
            let height = Int.random(in: 1...65_535, using: &random)
            let size = ThumbnailSize(fitting: width, height, pixels: 230_400)
            #expect(size.width * size.height <= 230_400 && size.width <= width && size.height <= height)
            #expect(size.width > 0 && size.height > 0)
        }
    }

    private static func gray(_ values: [[UInt8]]) -> Bitmap {
        Bitmap(
            width: values[0].count, height: values.count,
            bytes: values.flatMap { row in row.flatMap { [$0, $0, $0, 255] } })
    }

    @Test func aPixelIsTheAverageOfItsArea() {
        let image = Self.gray([[0, 100, 10, 30], [100, 200, 20, 40]])
        #expect(image.scaled(to: ThumbnailSize(width: 2, height: 1)) == Self.gray([[100, 25]]))
        #expect(image.scaled(to: ThumbnailSize(width: 4, height: 2)) == image)
    }

    @Test func pixelsThatAreCutCountByTheirShares() {
        // Three columns to two: the middle one belongs to both by halves.
        #expect(Self.gray([[0, 90, 240]]).scaled(to: ThumbnailSize(width: 2, height: 1)) == Self.gray([[30, 190]]))
        #expect(
            Self.gray([[0], [90], [240]]).scaled(to: ThumbnailSize(width: 1, height: 2)) == Self.gray([[30], [190]]))
    }

    @Test func transparentPixelsHaveNoColor() {
        let image = Bitmap(width: 2, height: 1, bytes: [255, 0, 0, 255, 0, 255, 0, 0])
        let result = image.scaled(to: ThumbnailSize(width: 1, height: 1))
        #expect(result[0, 0] == Pixel(255, 0, 0, 128))
        #expect(!result.isOpaque)
        let clear = Bitmap(width: 9, height: 9).scaled(to: ThumbnailSize(width: 2, height: 2))
        #expect(clear == Bitmap(width: 2, height: 2))
    }

    @Test func aSingleColorStaysTheSame() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<100 {
            let (width, height) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...90, using: &random))
            let size = ThumbnailSize(
                width: Int.random(in: 1...width, using: &random), height: Int.random(in: 1...height, using: &random))
            let image = Self.gray(Array(repeating: Array(repeating: 77, count: width), count: height))
            let result = image.scaled(to: size)
            let pixels = [[UInt8]](repeating: [77, 77, 77, 255], count: size.width * size.height)
            #expect(result.bytes == pixels.flatMap(\.self))
        }
    }

    /// The numbers 1 to 6 as they are stored, for each orientation; upright it is always 1 2 3 / 4 5 6.
    @Test(
        arguments: [
            (1, [[1, 2, 3], [4, 5, 6]]), (2, [[3, 2, 1], [6, 5, 4]]), (3, [[6, 5, 4], [3, 2, 1]]),
            (4, [[4, 5, 6], [1, 2, 3]]), (5, [[1, 4], [2, 5], [3, 6]]), (6, [[3, 6], [2, 5], [1, 4]]),
            (7, [[6, 3], [5, 2], [4, 1]]), (8, [[4, 1], [5, 2], [6, 3]]),
        ] as [(Int, [[UInt8]])]
    )
    func everyOrientationIsUndone(_ orientation: Int, _ stored: [[UInt8]]) {
        #expect(Self.gray(stored).upright(from: orientation) == Self.gray([[1, 2, 3], [4, 5, 6]]))
    }

    @Test(arguments: [0, 9, -1, .max]) func anUndefinedOrientationIsNone(_ orientation: Int) {
        let image = Self.gray([[1, 2]])
        #expect(image.upright(from: orientation) == image)
    }

    @Test func drawingStaysInsideTheImage() {
        var image = Self.gray([[1, 2, 3], [4, 5, 6]])
        image.draw(Self.gray([[9, 8], [7, 6]]), x: 2, y: 1)
        #expect(image == Self.gray([[1, 2, 3], [4, 5, 9]]))
        image.draw(Self.gray([[9]]), x: 3, y: 0)
        image.draw(Self.gray([[9]]), x: 0, y: 2)
        #expect(image == Self.gray([[1, 2, 3], [4, 5, 9]]))
    }

    @Test func everyLayoutBecomesRGBA() {
        func convert(_ layout: PixelLayout, _ bytes: [UInt8]) -> [UInt8] {
            var row = [UInt8](repeating: 0, count: 4)
            bytes.withUnsafeBytes { layout.convert($0, to: &row) }
            return row
        }
        #expect(convert(.gray, [5]) == [5, 5, 5, 255])
        #expect(convert(.grayAlpha, [5, 6]) == [5, 5, 5, 6])
        #expect(convert(.rgb, [1, 2, 3]) == [1, 2, 3, 255])
        #expect(convert(.rgba, [1, 2, 3, 4]) == [1, 2, 3, 4])
        #expect(convert(.cmyk, [255, 128, 0, 255]) == [255, 128, 0, 255])
        #expect(convert(.cmyk, [255, 255, 255, 0]) == [0, 0, 0, 255])
        // A row that is too short leaves the rest as it is.
        #expect(convert(.rgba, [1, 2, 3]) == [0, 0, 0, 0])
    }
}
