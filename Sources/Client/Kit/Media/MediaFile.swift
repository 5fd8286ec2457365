public import FeedAPI
import Foundation

/// A file on the disk that is to be attached to a status.
public struct MediaFile: Codable, Sendable, Equatable {
    public var path: String
    /// A description for people who cannot see the picture or hear the recording (alt text).
    public var description: String?
    /// The point that stays visible when the picture is cropped.
    public var focus: Entity.MediaAttachment.Focus?
    /// The path of a picture that stands for a video or a recording.
    public var thumbnail: String?

    public init(
        _ path: String, description: String? = nil, focus: Entity.MediaAttachment.Focus? = nil,
        thumbnail: String? = nil
    ) {
        self.path = path
        self.description = description
        self.focus = focus
        self.thumbnail = thumbnail
    }

    var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

extension Entity.MediaAttachment.Focus {
    /// The value of the parameter `focus`.
    var parameter: String { "\(x),\(y)" }
}

extension MediaFile {
    private static let headLength = 16

    /// Checks, without a network, whether the file can be read and looks like a picture, a video or a recording. The
    /// server decides whether it accepts the format.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file, or holds something else.
    public func check() throws(FeedClientError) {
        if let thumbnail { try MediaFile(thumbnail).check() }
        _ = try MultipartForm.size(of: path)
        let head = Array(try FileReader(path: path).contents(limit: Self.headLength).prefix(Self.headLength))
        guard Self.isMedia(head) else {
            throw FeedClientError(
                .failed, "\(name): not a picture, video or recording",
                hint: "feedclient upload stores any file on a feedserver.")
        }
    }

    /// Whether a file of any common media format may begin with these bytes.
    static func isMedia(_ head: [UInt8]) -> Bool {
        // MP4, MOV, HEIF, AVIF and other ISO files name their type after the length of the first box.
        let boxes = ["ftyp", "moov", "mdat", "wide", "free", "JXL "].map { Array($0.utf8) }
        if boxes.contains(Array(head.dropFirst(4).prefix(4))) { return true }
        return signatures.contains { head.starts(with: $0) }
    }

    private static let signatures: [[UInt8]] =
        ["\u{89}PNG", "GIF8", "RIFF", "BM", "OggS", "fLaC", "ID3", "FORM", "#!AMR", "FLV", "caff", "MThd"].map {
            $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        } + [
            [0xFF, 0xD8], [0xFF, 0x0A], [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
            // Matroska and WebM, MPEG audio and AAC, MPEG program and transport streams, Windows Media.
            [0x1A, 0x45, 0xDF, 0xA3], [0xFF, 0xFB], [0xFF, 0xFA], [0xFF, 0xF3], [0xFF, 0xF2], [0xFF, 0xF1],
            [0xFF, 0xF9],
            [0, 0, 1, 0xBA], [0, 0, 1, 0xB3], [0x47], [0x30, 0x26, 0xB2, 0x75],
        ]
}
