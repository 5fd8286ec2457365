/// Hand-built JPEG files.
enum JPEGSample {
    static let start: [UInt8] = [0xFF, 0xD8]
    static let end: [UInt8] = [0xFF, 0xD9]

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker] + big(body.count + 2, 2) + body }

    static let quantization = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    static let huffman = segment(0xC4, [0] + zeros(16))
    /// Without a thumbnail.
    static let jfif = segment(0xE0, text("JFIF\0") + [1, 2, 1, 0, 72, 0, 72, 0, 0])
    static let jfifWithThumbnail = segment(0xE0, text("JFIF\0") + [1, 2, 1, 0, 72, 0, 72, 1, 1, 9, 9, 9] + secret)
    static let adobe = segment(0xEE, text("Adobe") + [0, 100, 0, 0, 0, 0, 1])
    static let comment = segment(0xFE, secret)

    static func frame(_ width: Int, _ height: Int, marker: UInt8 = 0xC0, bits: UInt8 = 8) -> [UInt8] {
        segment(marker, join([bits], big(height, 2), big(width, 2), [1, 1, 0x11, 0]))
    }

    static let scanHeader = segment(0xDA, [1, 1, 0, 0, 63, 0])
    /// Compressed data with an escaped byte and a restart marker.
    static let data: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]

    /// The part of ``exif(orientation:)`` that a copy keeps.
    static func orientation(_ value: UInt8) -> [UInt8] {
        segment(
            0xE1,
            text("Exif\0\0MM") + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0])
    }

    /// The orientation, a maker, and a position.
    static func exif(orientation: Int, isBig: Bool = true, directory: Int = 8, entries: Int = 3) -> [UInt8] {
        let number: (Int, Int) -> [UInt8] = { isBig ? big($0, $1) : little($0, $1) }
        let short = number(orientation, 2) + zeros(2)
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            join(number(tag, 2), number(type, 2), number(count, 4), value)
        }
        let body = join(
            number(entries, 2), entry(0x010F, 2, secret.count, number(50, 4)), entry(0x0112, 3, 1, short),
            entry(0x8825, 4, 1, number(50, 4)), zeros(4))
        let tiff = join(text(isBig ? "MM" : "II"), number(42, 2), number(directory, 4), body, secret)
        return segment(0xE1, text("Exif\0\0") + tiff)
    }

    /// A segment of a color profile.
    static func profile(_ number: UInt8 = 1, of count: UInt8 = 1, size: Int = 140, stated: Int? = nil) -> [UInt8] {
        let head = big(stated ?? size, 4) + zeros(32) + text("acsp")
        let content = number == 1 ? head + zeros(size - head.count) : zeros(size)
        return segment(0xE2, text("ICC_PROFILE\0") + [number, count] + content)
    }

    /// An image of 16 × 8 pixels.
    static func file(_ segments: [UInt8] = [], between: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        join(start, segments, quantization, frame(16, 8), huffman, scanHeader, data, between, end, after)
    }

    /// A file with everything that is kept, and everything that is not.
    static let full = file(
        join(
            jfifWithThumbnail, exif(orientation: 6), segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0") + secret),
            profile(), segment(0xE2, text("MPF\0") + secret), segment(0xED, text("Photoshop 3.0\0") + secret), adobe,
            comment, segment(0xEF, secret)),
        between: comment, after: start + secret)

    /// The copy of ``full``.
    static let copyOfFull = file(jfif + orientation(6) + adobe + profile())
}

extension JPEGSample {
    /// Two scans with a table between them.
    static let progressive =
        join(
            start, quantization, frame(16, 8, marker: 0xC2), huffman, scanHeader, data, huffman, scanHeader, data, end)

    /// An image with many scans.
    static func scans(_ count: Int) -> [UInt8] {
        let scans = (0..<count).flatMap { _ in scanHeader + data }
        return start + frame(16, 8, marker: 0xC2) + scans + end
    }

    /// Segments before a frame of any size.
    static func image(_ frame: [UInt8]) -> [UInt8] { start + frame + scanHeader + data + end }
}
