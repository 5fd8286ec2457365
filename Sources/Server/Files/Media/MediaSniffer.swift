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
    static func identify(_ reader: inout MediaReader<some ByteSource>) throws(MediaError) -> MediaFormat {
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

extension MediaSniffer {
    static let accepted = "Use a JPEG, PNG, WebP or GIF image, an MP4 or WebM video, or an MP3 or Ogg audio file."
    static let acceptedImages = "Use a JPEG, PNG, WebP or GIF image."
    private static let image = "Save the image as JPEG, PNG or WebP."
    private static let video = "Convert the video to MP4 or WebM."
    private static let audio = "Convert the file to MP3 or Ogg."
    private static let heic =
        "Save the image as JPEG. An iPhone takes JPEG photos if Settings, Camera, Formats is set to Most Compatible."

    /// Brands of ISO media files that are not accepted although they are common.
    static let refusedBrands: [String: (name: String, hint: String)] = [
        "heic": ("HEIC", heic), "heix": ("HEIC", heic), "hevc": ("HEIC", heic), "hevx": ("HEIC", heic),
        "heim": ("HEIC", heic), "heis": ("HEIC", heic), "mif1": ("HEIF", heic), "msf1": ("HEIF", heic),
        "avif": ("AVIF", image), "avis": ("AVIF", image), "crx ": ("CR3", image),
        "qt  ": ("QuickTime", video),
    ]

    private static let signatures: [(offset: Int, mark: [UInt8], name: String, hint: String)] = [
        (0, [0x49, 0x49, 0x2A, 0x00], "TIFF and raw", image), (0, [0x4D, 0x4D, 0x00, 0x2A], "TIFF and raw", image),
        (0, Array("BM".utf8), "BMP", image), (0, [0, 0, 1, 0], "icon", image), (0, Array("8BPS".utf8), "PSD", image),
        (0, [0xFF, 0x0A], "JPEG XL", image), (0, [0, 0, 0, 0x0C] + Array("JXL ".utf8), "JPEG XL", image),
        (0, [0, 0, 0, 0x0C] + Array("jP  ".utf8), "JPEG 2000", image),
        (0, [0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000", image),
        (0, EBMLHead.signature, "Matroska", video), (8, Array("AVI ".utf8), "AVI", video),
        (0, Array("FLV".utf8), "FLV", video), (0, [0x30, 0x26, 0xB2, 0x75], "ASF", video),
        (0, [0, 0, 1, 0xBA], "MPEG-2", video),
        (8, Array("WAVE".utf8), "WAV", audio), (0, Array("fLaC".utf8), "FLAC", audio),
        (0, Array("FORM".utf8), "AIFF", audio), (0, [0xFF, 0xF1], "AAC", audio), (0, [0xFF, 0xF9], "AAC", audio),
        (0, Array("MThd".utf8), "MIDI", audio), (0, Array("%PDF-".utf8), "PDF", image),
        (0, [0x50, 0x4B, 0x03, 0x04], "ZIP", accepted), (0, [0x1F, 0x8B], "gzip", accepted),
    ]

    /// The reason for refusing a file whose ``format(of:)`` is `nil`.
    package static func refusal(of prefix: some Collection<UInt8>) -> MediaError {
        let head = Array(prefix.prefix(prefixLength))
        if let major = brands(of: head)?.first, let brand = refusedBrands[major] {
            return refusal(brand.name, brand.hint)
        }
        if let match = signatures.first(where: { head.dropFirst($0.offset).starts(with: $0.mark) }) {
            return refusal(match.name, match.hint)
        }
        return refusal(ofText: head)
    }

    private static func refusal(ofText head: [UInt8]) -> MediaError {
        switch ContentType.sniff(head, name: "") {
        case "image/svg+xml": refusal("SVG", image)
        case "application/xml": refusal(head.contains("<svg") ? "SVG" : "XML", image)
        case "text/html": refusal("HTML", accepted)
        case let type where type.hasPrefix("text/"): refusal("text", accepted)
        default: .unsupported("The format of the file is unknown", hint: accepted)
        }
    }

    private static func refusal(_ name: String, _ hint: String) -> MediaError {
        .unsupported("Files of the type \(name) are not supported", hint: hint)
    }
}

extension [UInt8] {
    fileprivate func contains(_ mark: String) -> Bool {
        String(decoding: self, as: UTF8.self).lowercased().contains(mark)
    }
}

extension FeedError {
    /// The error, if the file must be an image: the hint then names no formats of videos and audio.
    package var ofImage: FeedError {
        guard hint == MediaSniffer.accepted else { return self }
        return FeedError(kind, message, hint: MediaSniffer.acceptedImages, cause: cause)
    }
}
