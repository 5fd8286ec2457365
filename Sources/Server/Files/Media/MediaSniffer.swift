package import FeedCore

/// Identifies media files by their first bytes; names and declared types have no influence.
package enum MediaSniffer {
    /// The number of bytes that decide.
    package static let prefixLength = 1024

    /// Brands of MP4 files (ISO/IEC 14496-12, 4.3), by their first three letters.
    private static let acceptedBrands: Set<String> = [
        "iso", "mp4", "avc", "M4V", "M4A", "das", "MSN", "3gp", "XAV", "f4v",
    ]

    /// The format of a file.
    /// - Parameter prefix: Its first ``prefixLength`` bytes.
    /// - Returns: `nil` if the format is not accepted; ``refusal(of:)`` says why. Whether MP4 or WebM contains pictures is
    ///   not known yet: `mp4` or `webm`.
    package static func format(of prefix: some Collection<UInt8>) -> MediaFormat? {
        let head = Array(prefix.prefix(prefixLength))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: PNGChunk.signature) { return .png }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) { return .gif }
        if head.starts(with: "RIFF".utf8), head.text(8, 4) == "WEBP" { return .webp }
        if head.starts(with: EBMLHead.signature) { return EBMLHead.documentType(in: head) == "webm" ? .webm : nil }
        if head.starts(with: "OggS".utf8) { return .ogg }
        if head.starts(with: "ID3".utf8) || MP3Frame(head) != nil { return .mp3 }
        return isMP4(head) ? .mp4 : nil
    }

    /// Peeks at the first bytes.
    static func identify(_ reader: inout MediaReader<some ByteSource>) throws(MediaFault) -> MediaFormat {
        guard reader.remaining > 0 else { throw .unsupported("The file is empty", hint: accepted) }
        let head = try reader.peek(Int(min(Int64(prefixLength), reader.remaining)))
        guard let format = Self.format(of: head) else { throw refusal(of: head) }
        return format
    }

    private static func isMP4(_ head: [UInt8]) -> Bool {
        guard let brands = Self.brands(of: head), let major = brands.first else { return false }
        let isImage = refusedBrands[major] != nil
        return !isImage && brands.contains { acceptedBrands.contains(String($0.prefix(3))) }
    }

    /// The brands of an ISO media file, the major one first; `nil` for other files.
    static func brands(of head: [UInt8]) -> [String]? {
        // The first byte of the length of this box is 0; a text with the same letters begins with another byte.
        guard head.first == 0, head.text(4, 4) == "ftyp" else { return nil }
        let end = min(head.big(0, 4), head.count)
        let compatible = stride(from: 16, to: end - 3, by: 4).map { head.text($0, 4) }
        return [head.text(8, 4)] + compatible
    }
}

extension Collection<UInt8> {
    /// A part of the bytes as text; shorter if there are not enough.
    func text(_ offset: Int, _ count: Int) -> String {
        String(decoding: dropFirst(offset).prefix(count), as: UTF8.self)
    }
}
