import FeedCore
import FeedFiles
import FeedImages
import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

/// The thumbnails that the process makes, with the real libraries.
@Suite(.hangLimit, .enabled(if: ImageLibrary.areInstalled, "needs the packages of scripts/foreign-clients"))
struct ThumbnailTests {
    /// Runs the process, and compares its report with the thumbnail.
    private static func thumbnail(_ upload: Data) async throws -> (child: MediaChild, size: (width: Int, height: Int)) {
        let child = try await MediaChild.run(upload)
        let meta = try child.processed.meta
        let size = try #require(ImageSize.of(child.thumbnail))
        #expect(meta.thumbnailWidth == size.width && meta.thumbnailHeight == size.height)
        #expect(try child.processed.blurhash.map(Blurhash.isValid) == true)
        return (child, size)
    }

    @Test func aLargePhotoIsScaledDown() async throws {
        let photo = SampleJPEG(columns: 500, rows: 375, components: 3) { column, row in
            [UInt8(column * 255 / 500), UInt8(row * 255 / 375), 128]
        }.data
        let (child, size) = try await Self.thumbnail(photo)
        #expect(try child.processed.format == .jpeg)
        #expect(try child.processed.meta.width == 4000 && child.processed.meta.height == 3000)
        #expect(size == (554, 415))
        #expect(child.thumbnail.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(child.thumbnail.count < 60_000)
    }

    @Test(arguments: 1...8) func aTurnedPhotoIsUpright(_ orientation: UInt8) async throws {
        // Upright, the bright part is at the top left; here it is where a camera would have stored it.
        let isBright: (Int, Int) -> Bool = { column, row in
            switch orientation {
            case 1, 5: column == 0 && row == 0
            case 2, 8: column == 3 && row == 0
            case 3, 7: column == 3 && row == 2
            default: column == 0 && row == 2
            }
        }
        let photo = SampleJPEG(columns: 4, rows: 3, orientation: orientation) { column, row in
            [isBright(column, row) ? 250 : 10]
        }.data
        let (child, size) = try await Self.thumbnail(photo)
        let isTurned = orientation >= 5
        #expect(size == (isTurned ? (24, 32) : (32, 24)))
        #expect(try child.processed.meta.width == size.width)
        // The blurhash of the thumbnail shows where it is bright, and the thumbnail has no orientation of its own.
        let shown = try #require(try await MediaChild.run(child.thumbnail).processed.blurhash)
        #expect(BlurhashDecoder.brightness(shown, x: 0.05, y: 0.05) > 200)
        #expect(BlurhashDecoder.brightness(shown, x: 0.9, y: 0.9) < 100)
    }

    @Test func aPhotoInCMYKHasItsColors() async throws {
        let photo = SampleJPEG(columns: 4, rows: 4, components: 4) { _, _ in [255, 0, 0, 255] }.data
        let (child, _) = try await Self.thumbnail(photo)
        // Red: inverted, no cyan, full magenta and yellow, no black.
        let color = BlurhashDecoder.average(try #require(try child.processed.blurhash))
        #expect(color.red > 240 && color.green < 15 && color.blue < 15)
    }

    @Test func transparencySurvivesInPNG() async throws {
        let (child, size) = try await Self.thumbnail(SampleImages.png(1600, 900, isTransparent: true))
        #expect(size == (640, 360))
        #expect(child.thumbnail.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let opaque = try await Self.thumbnail(SampleImages.png(1600, 900)).child
        #expect(opaque.thumbnail.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test(arguments: SampleImages.deepPNG) func channelsOf16BitsAreNotLinear(_ image: Data) async throws {
        let (child, _) = try await Self.thumbnail(image)
        let color = BlurhashDecoder.average(try #require(try child.processed.blurhash))
        #expect((120...136).contains(color.red) && (120...136).contains(color.green), "\(color)")
    }

    @Test(arguments: SampleImages.webP) func everyKindOfWebPIsDecoded(_ image: Data) async throws {
        let (child, size) = try await Self.thumbnail(image)
        #expect(try child.processed.format == .webp)
        #expect(size == (1, 1))
    }

    @Test func theFirstFrameOfAGIFIsDecoded() async throws {
        let (child, size) = try await Self.thumbnail(SampleImages.gif)
        #expect(try child.processed.format == .gif)
        #expect(size == (1, 1))
    }

    /// Orientation 6: what was stored on the left is on top.
    @Test func aTurnedPNGIsUpright() async throws {
        let file = Array(SampleImages.png(40, 30))
        let turned = file.prefix(33) + PNGSample.chunk("eXIf", PNGSample.photo(6)) + file.dropFirst(33)
        let (child, size) = try await Self.thumbnail(Data(turned))
        #expect(size == (30, 40))
        #expect(try child.processed.meta.width == 30 && child.processed.meta.height == 40)
        #expect(child.content.range(of: HostileRow.removed) == nil)
        let shown = try #require(try await MediaChild.run(child.thumbnail).processed.blurhash)
        // In the middle of each half: a blurhash cannot express the full contrast of black and white, and is gray (124)
        // at the edge of the black half.
        #expect(BlurhashDecoder.brightness(shown, x: 0.5, y: 0.25) < 20)
        #expect(BlurhashDecoder.brightness(shown, x: 0.5, y: 0.75) > 235)
    }

    @Test func animationsAreRecognized() async throws {
        let animation = try await MediaChild.run(SampleImages.animation)
        #expect(try animation.processed.isAnimated && animation.processed.meta.width == 1)
        #expect(animation.content == SampleImages.storedAnimation && !animation.thumbnail.isEmpty)
        #expect(try await MediaChild.run(SampleImages.gif).processed.isAnimated == false)
    }

    @Test func theLargestImageFitsIntoTheMemory() async throws {
        let (child, size) = try await Self.thumbnail(BlackPNG(width: 6600, height: 5000, colorType: 0).data)
        #expect(try child.processed.meta.width == 6600)
        #expect(size.width * size.height <= 230_400)
    }

    @Test func anImageThatNeedsTooMuchMemoryIsNotRefused() async throws {
        // 132 MB of pixels; whether they fit depends on the size of the program.
        let child = try await MediaChild.run(BlackPNG(width: 6600, height: 5000, colorType: 6).data)
        #expect(try child.processed.meta.width == 6600)
        #expect(!child.content.isEmpty)
    }
}

/// Without the libraries.
@Suite(.hangLimit) struct MissingLibraryTests {
    @Test(arguments: SampleImages.all) func imagesAreAcceptedWithoutThumbnail(_ image: Data) async throws {
        let child = try await MediaChild.run(image, environment: ["FEED_WITHOUT": "pq,images"])
        let (format, meta, _, blurhash) = try child.processed
        #expect(meta.width != nil && meta.height != nil)
        #expect(!child.content.isEmpty)
        // Our own decoder reads GIF.
        #expect((blurhash != nil) == (format == .gif))
        #expect(child.thumbnail.isEmpty == (format != .gif))
    }
}
