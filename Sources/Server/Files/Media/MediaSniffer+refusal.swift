extension MediaSniffer {
    static let accepted = "Use a JPEG, PNG, WebP or GIF image, an MP4 or WebM video, or an MP3 or Ogg audio file."
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

    /// Why a file is refused whose ``format(of:)`` is `nil`.
    package static func refusal(of prefix: some Collection<UInt8>) -> MediaFault {
        let head = Array(prefix.prefix(prefixLength))
        if let major = brands(of: head)?.first, let brand = refusedBrands[major] {
            return refusal(brand.name, brand.hint)
        }
        if let match = signatures.first(where: { head.dropFirst($0.offset).starts(with: $0.mark) }) {
            return refusal(match.name, match.hint)
        }
        return refusal(ofText: head)
    }

    private static func refusal(ofText head: [UInt8]) -> MediaFault {
        switch MediaType.sniff(head, name: "") {
        case "image/svg+xml": refusal("SVG", image)
        case "application/xml": refusal(head.contains("<svg") ? "SVG" : "XML", image)
        case "text/html": refusal("HTML", accepted)
        case let type where type.hasPrefix("text/"): refusal("text", accepted)
        default: .unsupported("The format of the file is unknown", hint: accepted)
        }
    }

    private static func refusal(_ name: String, _ hint: String) -> MediaFault {
        .unsupported("Files of the type \(name) are not supported", hint: hint)
    }
}

extension [UInt8] {
    fileprivate func contains(_ mark: String) -> Bool {
        String(decoding: self, as: UTF8.self).lowercased().contains(mark)
    }
}
