package import FeedCore

/// Detects media types from the content, because the type declared by a client cannot be trusted.
package enum ContentType {
    private static let signatures: [(offset: Int, bytes: [UInt8], type: String)] = [
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, Array("GIF87a".utf8), "image/gif"),
        (0, Array("GIF89a".utf8), "image/gif"),
        (4, Array("ftypavif".utf8), "image/avif"),
        (4, Array("ftypheic".utf8), "image/heic"),
        (4, Array("ftypM4A".utf8), "audio/mp4"),
        (4, Array("ftyp".utf8), "video/mp4"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
        (0, Array("OggS".utf8), "audio/ogg"),
        (0, Array("fLaC".utf8), "audio/flac"),
        (0, Array("ID3".utf8), "audio/mpeg"),
        (0, [0xFF, 0xFB], "audio/mpeg"),
        (0, Array("%PDF-".utf8), "application/pdf"),
        (0, [0x1F, 0x8B], "application/gzip"),
        (0, [0x50, 0x4B, 0x03, 0x04], "application/zip"),
    ]

    /// Lowercase prefixes of text formats that a browser would render or execute.
    private static let active: [(String, String)] = [
        ("<!doctype html", "text/html"), ("<html", "text/html"), ("<head", "text/html"), ("<script", "text/html"),
        ("<body", "text/html"), ("<iframe", "text/html"), ("<svg", "image/svg+xml"), ("<?xml", "application/xml"),
        ("<", "text/html"),
    ]

    /// Detects the media type of a file.
    /// - Parameters:
    ///   - head: The first bytes of the file, up to 1 KiB.
    ///   - name: The file name; its extension only distinguishes between harmless text formats.
    package static func sniff(_ head: [UInt8], name: String) -> String {
        if head.starts(with: Array("RIFF".utf8)) { return riff(head) }
        // An ISO media file starts with a box length whose first byte is 0; a text with the same letters does not.
        let isBox = head.first == 0
        for signature in signatures
        where (signature.offset == 0 || isBox) && head.dropFirst(signature.offset).starts(with: signature.bytes) {
            return signature.type
        }
        guard let text = text(head) else { return "application/octet-stream" }
        let visible = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        let start = Substring(visible.prefix(20)).lowercased()
        if let match = active.first(where: { start.utf8.starts(with: $0.0.utf8) }) { return match.1 }
        switch name.lowercased().utf8.split(separator: UInt8(ascii: ".")).last.map(Substring.init) {
        case "json": return "application/json"
        case "csv": return "text/csv; charset=utf-8"
        default: return "text/plain; charset=utf-8"
        }
    }

    private static func riff(_ head: [UInt8]) -> String {
        switch head.dropFirst(8).prefix(4) {
        case let kind where kind.elementsEqual("WEBP".utf8): "image/webp"
        case let kind where kind.elementsEqual("WAVE".utf8): "audio/wav"
        default: "application/octet-stream"
        }
    }

    /// The format of an image, detected from its first bytes; `nil` for anything that an attachment cannot be.
    package static func imageFormat(_ head: [UInt8]) -> MediaFormat? {
        let type = sniff(head, name: "")
        return MediaFormat.allCases.first { $0.kind == .image && $0.mediaType == type }
    }

    /// Whether a browser may display the type on this origin; other types are served as attachments.
    package static func isInline(_ type: String) -> Bool {
        ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"].contains(type)
            || type.hasPrefix("audio/") || type.hasPrefix("video/") || type.hasPrefix("text/plain")
    }

    /// The Content-Security-Policy for content that somebody has uploaded: it never runs as a page of this site.
    ///
    /// To show a video or to play sound as a page, a browser loads the same address again, from that page. Without
    /// scripts, the origin that this takes is of no use to the content.
    package static func securityPolicy(_ type: String) -> String {
        type.hasPrefix("video/") || type.hasPrefix("audio/")
            ? "default-src 'none'; media-src 'self'; sandbox allow-same-origin" : "default-src 'none'; sandbox"
    }

    /// The bytes as text, or `nil` if they are binary. A character truncated at the end is ignored.
    private static func text(_ head: [UInt8]) -> String? {
        guard !head.contains(where: { $0 < 0x20 && ![9, 10, 12, 13, 27].contains($0) }) else { return nil }
        for cut in 0...3 where cut <= head.count {
            if let text = String(validating: head.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}
