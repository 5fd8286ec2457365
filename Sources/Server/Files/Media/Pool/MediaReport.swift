import FeedAPI
package import FeedCore
import FeedImages
import Foundation
import NIOCore

/// The report of the process that handles an upload: one line of JSON on its standard output.
package struct MediaReport: Sendable, Equatable {
    /// The maximum length of the line in bytes.
    package static let maximumBytes = 8192

    package enum Result: Sendable, Equatable {
        case processed(MediaFormat, MediaMeta, isAnimated: Bool = false, blurhash: String?)
        case refused(MediaError)

        /// - Throws: ``FeedError`` if the file has been refused.
        package var processed: (format: MediaFormat, meta: MediaMeta, isAnimated: Bool, blurhash: String?) {
            get throws(FeedError) {
                switch self {
                case .processed(let format, let meta, let isAnimated, let blurhash):
                    return (format, meta, isAnimated, blurhash)
                case .refused(let error): throw error.feedError
                }
            }
        }
    }

    package var result: Result
    /// The restrictions that the kernel has refused, for the log.
    package var missingRestrictions: [String]

    package init(_ result: Result, missingRestrictions: [String] = []) {
        self.result = result
        self.missingRestrictions = missingRestrictions
    }

    /// The line, with a line feed.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            switch result {
            case .processed(let format, let meta, let isAnimated, let blurhash):
                json.field("format", format.rawValue)
                json.field("width", number: meta.width.map(Int64.init))
                json.field("height", number: meta.height.map(Int64.init))
                json.field("isAnimated", isAnimated)
                json.field("milliseconds", number: meta.milliseconds)
                json.field("thumbnailWidth", number: meta.thumbnailWidth.map(Int64.init))
                json.field("thumbnailHeight", number: meta.thumbnailHeight.map(Int64.init))
                json.field("blurhash", blurhash)
            case .refused(let error):
                json.field("error", error.message)
                json.field("kind", error.kind.rawValue)
                json.field("hint", error.hint)
            }
            json.array("missingRestrictions") { json in missingRestrictions.forEach { json.string($0) } }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: StaticString, number: Int64?) {
        key(name)
        if let number { int(number) } else { null() }
    }
}

extension MediaReport {
    /// Parses a line. It may have been written by an attacker who has taken over the process, so every value is checked.
    /// - Returns: `nil` if the line is not a valid report.
    package init?(parsing line: [UInt8]) {
        guard line.count <= Self.maximumBytes, line.last == UInt8(ascii: "\n"),
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)), let result = fields.result
        else { return nil }
        self.init(result, missingRestrictions: fields.missingRestrictions.map(Self.text))
    }

    private struct Fields: Decodable {
        var format: String?
        var width: Int?
        var height: Int?
        var isAnimated: Bool?
        var milliseconds: Int64?
        var thumbnailWidth: Int?
        var thumbnailHeight: Int?
        var blurhash: String?
        var error: String?
        var kind: String?
        var hint: String?
        var missingRestrictions: [String]

        var result: Result? {
            if let error {
                guard let kind = kind.flatMap(MediaError.Kind.init) else { return nil }
                return .refused(MediaError(kind, MediaReport.text(error), hint: hint.map(MediaReport.text)))
            }
            let sizes = [width, height, thumbnailWidth, thumbnailHeight].compactMap(\.self)
            guard let format = format.flatMap(MediaFormat.init), milliseconds ?? 0 >= 0,
                sizes.allSatisfy({ (1...1 << 24).contains($0) }), blurhash.map(Blurhash.isValid) ?? true
            else { return nil }
            let meta = MediaMeta(
                width: width, height: height, milliseconds: milliseconds, thumbnailWidth: thumbnailWidth,
                thumbnailHeight: thumbnailHeight)
            return .processed(format, meta, isAnimated: isAnimated ?? false, blurhash: blurhash)
        }
    }

    /// A message, short and in one line.
    private static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isControl }.prefix(300)))
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(generalCategory)
    }
}

extension BlobStore {
    /// The thumbnail made by processing; `nil` if it is missing or not an image.
    package func thumbnail(of processed: ProcessedMedia) async throws -> StoredMedia.Thumbnail? {
        guard let blob = processed.thumbnail else { return nil }
        let head = try await open(blob, name: "thumbnail").read(Int(min(64, blob.size)), at: 0)
        guard let format = ContentType.imageFormat(Array(head.readableBytesView)) else { return nil }
        return StoredMedia.Thumbnail(
            blob: blob, format: format, width: processed.meta.thumbnailWidth, height: processed.meta.thumbnailHeight)
    }
}
