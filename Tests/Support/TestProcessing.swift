package import FeedCore
package import FeedFiles
import FeedImages
import Foundation
package import TestKit

/// A simple implementation of ``MediaProcessing``: accepts PNGs, which it copies, and MP4s, which it only stores.
package struct TestProcessing: MediaProcessing {
    private let blobs: BlobStore
    /// Delays the processing until it is open.
    private let latch: Latch?

    package init(blobs: BlobStore, latch: Latch? = nil) {
        self.blobs = blobs
        self.latch = latch
    }

    package func process(_ path: String, limits: MediaLimits) async throws -> ProcessedMedia {
        try await latch?.wait()
        guard let file = FileManager.default.contents(atPath: path) else { throw FeedError.notFound }
        let bytes = Array(file)
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return try await video(bytes) }
        guard let (width, height) = Self.size(ofPNG: bytes) else {
            throw FeedError(.invalid, "Validation failed: File is not an image", hint: "Upload a PNG.")
        }
        guard width <= limits.pixels, height <= limits.pixels, width * height <= limits.pixels else {
            throw FeedError(.invalid, "Validation failed: File has too many pixels", hint: "Scale it down.")
        }
        return try await image(bytes, width, height)
    }

    private func image(_ bytes: [UInt8], _ width: Int, _ height: Int) async throws -> ProcessedMedia {
        let color = Pixel(bytes.reduce(0, &+), bytes.reduce(0, ^), UInt8(truncatingIfNeeded: bytes.count))
        let small = PNGEncoder.encode(width: 4, height: 3) { _, _ in color }
        return try await blobs.whilePublishing {
            let meta = MediaMeta(width: width, height: height, thumbnailWidth: 4, thumbnailHeight: 3)
            return ProcessedMedia(
                format: .png, meta: meta, isAnimated: SampleMedia.isAnimated(bytes), blurhash: "000000",
                content: try await blobs.store(bytes),
                thumbnail: try await blobs.store(small))
        }
    }

    private func video(_ bytes: [UInt8]) async throws -> ProcessedMedia {
        try await blobs.whilePublishing {
            ProcessedMedia(
                format: .mp4, meta: MediaMeta(width: 640, height: 360, milliseconds: 1500),
                content: try await blobs.store(bytes))
        }
    }

    /// The width and height in pixels, from the header chunk.
    private static func size(ofPNG bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count > 33, ContentType.sniff(bytes, name: "") == "image/png" else { return nil }
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(at: 16), number(at: 20))
    }
}

/// Sample media.
package enum SampleMedia {
    /// A PNG image; the same seed gives the same image.
    package static func png(_ seed: UInt8 = 1, width: Int = 16, height: Int = 9) -> [UInt8] {
        PNGEncoder.encode(width: width, height: height) { x, y in Pixel(seed, UInt8(x % 256), UInt8(y % 256)) }
    }

    /// A PNG image that says that it is animated.
    package static func animation(_ seed: UInt8 = 1) -> [UInt8] {
        let image = png(seed)
        return image.prefix(headLength) + PNGSample.animation(2) + image.dropFirst(headLength)
    }

    static func isAnimated(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst(headLength + 4).starts(with: Array("acTL".utf8))
    }

    /// The length of the signature and the header of a PNG file.
    private static let headLength = 33

    /// The first bytes of an MP4 file.
    package static let mp4: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
}
