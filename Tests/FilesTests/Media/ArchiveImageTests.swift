import FeedCore
import FeedFiles
import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

/// The images of the Mastodon archive beside the checkout: photos with a position, and images of all other formats.
@Suite(.hangLimit)
struct ArchiveImageTests {
    private static let folder = SharedData.path("mastodon-archive")

    private static func images() throws -> [String: [UInt8]] {
        let folder = try #require(Self.folder)
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let images = names.filter { ["jpeg", "png", "webp", "gif"].contains($0.split(separator: ".").last) }
        let contents = try images.map { name in
            (name, Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))))
        }
        return Dictionary(uniqueKeysWithValues: contents)
    }

    /// The tag of the position in an Exif directory: 0x8825, type LONG, one value; in both byte orders.
    private static let positions: [[UInt8]] = [
        [0x88, 0x25, 0x00, 0x04, 0x00, 0x00, 0x00, 0x01], [0x25, 0x88, 0x04, 0x00, 0x01, 0x00, 0x00, 0x00],
    ]

    private static func hasPosition(_ bytes: [UInt8]) -> Bool { positions.contains { bytes.contains($0) } }

    @Test(.enabled(if: folder != nil, "the shared data set is not here"))
    func copiesContainNoPosition() throws {
        let images = try Self.images()
        #expect(images.values.contains(where: Self.hasPosition), "the photos of the archive have a position")
        for (name, bytes) in images {
            let copied = try Copied(bytes)
            #expect(!Self.hasPosition(copied.bytes), "\(name)")
            #expect(!copied.bytes.contains(text("Example")), "\(name): the maker of the camera")
            #expect(try Copied(copied.bytes) == copied, "\(name)")
        }
    }

    @Test(.enabled(if: folder != nil, "the shared data set is not here"))
    func photosKeepTheirSizeAndOrientation() throws {
        let photos = try Self.images().filter { $0.key.hasSuffix(".jpeg") }
        let infos = try photos.values.map { try Copied($0).info }
        #expect(!infos.isEmpty && infos.allSatisfy { ($0.width ?? 0) > 0 && ($0.height ?? 0) > 0 })
        #expect(infos.contains { $0.orientation > 1 }, "some photos of the archive are turned")
    }
}
