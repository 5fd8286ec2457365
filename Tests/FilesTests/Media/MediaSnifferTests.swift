import FeedCore
import FeedFiles
import TestKit
import Testing

@testable import FeedTestSupport

/// The first bytes of a file that is refused, and a word of the reason.
struct RefusedRow: CustomTestStringConvertible, Sendable {
    let head: [UInt8]
    let name: String

    var testDescription: String { name }

    private static func brand(_ name: String, _ compatible: String = "mif1") -> [UInt8] {
        big(24, 4) + text("ftyp" + name) + zeros(4) + text(compatible) + text("isom")
    }

    static let all: [RefusedRow] = [
        RefusedRow(head: [], name: "empty"),
        RefusedRow(head: brand("heic"), name: "HEIC"),
        RefusedRow(head: brand("heix"), name: "HEIC"),
        RefusedRow(head: brand("mif1", "avif"), name: "HEIF"),
        RefusedRow(head: brand("avif"), name: "AVIF"),
        RefusedRow(head: brand("qt  ", "qt  "), name: "QuickTime"),
        RefusedRow(head: [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], name: "TIFF"),
        RefusedRow(head: [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8], name: "TIFF"),
        RefusedRow(head: text("BM") + zeros(20), name: "BMP"),
        RefusedRow(head: [0, 0, 1, 0, 1, 0], name: "icon"),
        RefusedRow(head: [0xFF, 0x0A, 0xFA], name: "JPEG XL"),
        RefusedRow(head: WebMSample.header("matroska"), name: "Matroska"),
        RefusedRow(head: text("RIFF") + zeros(4) + text("AVI LIST"), name: "AVI"),
        RefusedRow(head: text("RIFF") + zeros(4) + text("WAVEfmt "), name: "WAV"),
        RefusedRow(head: text("fLaC") + zeros(4), name: "FLAC"),
        RefusedRow(head: [0xFF, 0xF1, 0x50, 0x80], name: "AAC"),
        RefusedRow(head: text("%PDF-1.7"), name: "PDF"),
        RefusedRow(head: [0x50, 0x4B, 0x03, 0x04, 0x14], name: "ZIP"),
        RefusedRow(head: text("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), name: "SVG"),
        RefusedRow(head: text("<?xml version=\"1.0\"?>\n<!-- x -->\n<SVG>"), name: "SVG"),
        RefusedRow(head: text("<!doctype html><script>alert(1)</script>"), name: "HTML"),
        RefusedRow(head: text("alert(1)"), name: "text"),
        RefusedRow(head: text("GIF88a") + zeros(20), name: "unknown"),
        RefusedRow(head: [1, 2, 3, 4, 5, 6, 7, 8], name: "unknown"),
    ]
}

@Suite(.hangLimit)
struct MediaSnifferTests {
    @Test(arguments: MediaSample.all)
    func formatsAreRecognized(sample: MediaSample) {
        // The first bytes do not tell whether there are pictures.
        let containers: [MediaFormat: MediaFormat] = [.m4a: .mp4, .weba: .webm]
        let expected = containers[sample.info.format] ?? sample.info.format
        #expect(MediaSniffer.format(of: sample.bytes.prefix(MediaSniffer.prefixLength)) == expected)
    }

    @Test(arguments: RefusedRow.all)
    func otherFormatsAreRefusedByName(row: RefusedRow) {
        #expect(MediaSniffer.format(of: row.head) == nil)
        do throws(MediaError) {
            _ = try Copied(row.head)
            Issue.record("the file is copied")
        } catch {
            #expect(error.kind == .unsupported)
            #expect(error.message.contains(row.name), "\(error.message)")
            #expect(error.hint != nil)
        }
    }

    @Test func beginningsOfSignaturesAreNotRecognized() {
        for sample in MediaSample.all {
            for count in 0..<2 { #expect(MediaSniffer.format(of: sample.bytes.prefix(count)) == nil) }
        }
    }
}
