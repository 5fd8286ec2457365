import FeedFiles
import FeedImages
import Foundation

/// Small valid images.
enum SampleImages {
    /// WebP images of one pixel: lossy, lossless, with transparency, and animated.
    static let webP = [
        "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
        "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
        "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
        "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA",
    ].compactMap { Data(base64Encoded: $0) }

    /// PNG images of medium gray with 16 bits per channel: gray, RGB, and RGBA.
    static let deepPNG = [
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAAAAAAHTY67AAAAEklEQVR4nGNsaGBgYGJgYGAAAAieAQQLhU1EAAAAAElFTkSuQmCC",
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAIAAACtREYwAAAADklEQVR4nGNoQAIMyBwAnBoMATyCc0QAAAAASUVORK5CYII=",
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAYAAAAiJtFnAAAAEklEQVR4nGNoAIP//2E0A7oAAEfBE/nzu73+AAAAAElFTkSuQmCC",
    ].compactMap { Data(base64Encoded: $0) }

    /// An image of two halves: black on the left, white on the right; its lower half is transparent, or not.
    static func png(_ width: Int, _ height: Int, isTransparent: Bool = false) -> Data {
        Data(
            PNGEncoder.encode(width: width, height: height) { x, y in
                let value: UInt8 = x < width / 2 ? 0 : 255
                return Pixel(value, value, value, isTransparent && y >= height / 2 ? 0 : 255)
            })
    }

    /// A black GIF of one pixel, of which nothing is transparent.
    static let gif =
        Data("GIF89a".utf8)
        + Data([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
        + Data([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])

    /// A GIF of one pixel that is white, then black. Its screen is smaller than its frames.
    static let animation: Data = {
        let white = Data([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0])
        let black = Data([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
        return Data("GIF89a".utf8) + Data([0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]) + white + black
            + Data([0x3B])
    }()

    /// The stored copy of ``animation``.
    static var storedAnimation: Data {
        var bytes = animation
        (bytes[6], bytes[8]) = (1, 1)
        return bytes
    }

    /// A gray JPEG of 16 × 8 pixels: dark on the left, bright on the right.
    static let jpeg = SampleJPEG(columns: 2, rows: 1) { column, _ in [column == 0 ? 40 : 200] }.data

    static let all: [Data] = [jpeg, png(20, 10), png(20, 10, isTransparent: true), gif] + webP
}
