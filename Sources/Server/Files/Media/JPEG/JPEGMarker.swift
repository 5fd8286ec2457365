/// The markers of a JPEG file (ITU-T T.81, table B.1).
enum JPEGMarker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let jfif: UInt8 = 0xE0
    static let exif: UInt8 = 0xE1
    static let profile: UInt8 = 0xE2
    static let adobe: UInt8 = 0xEE

    /// Baseline, extended and progressive frames with Huffman codes: the frames that browsers show.
    static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2]
    /// Frames that are lossless, hierarchical or arithmetically coded, and the segments that only these need.
    static let otherFrames: Set<UInt8> = [
        0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDE, 0xDF,
    ]
    /// The tables that decoding needs, and the largest size of their segments in bytes.
    static let tables: [UInt8: Int] = [0xC4: 8 * (17 + 256), 0xDB: 4 * 129, 0xDD: 2]

    /// Whether a marker is not followed by a length.
    static func standsAlone(_ marker: UInt8) -> Bool { marker == 0x01 || (0xD0...0xD7).contains(marker) }

    /// A segment with its marker and length.
    static func segment(_ marker: UInt8, _ body: some Collection<UInt8>) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + body
    }
}

extension MediaReader {
    /// Moves to the next marker, past fill bytes and bytes that do not belong here, as decoders do.
    mutating func marker() throws(MediaFault) -> UInt8 {
        while true {
            while try byte() != 0xFF {}
            var code = try byte()
            while code == 0xFF { code = try byte() }
            if code != 0 { return code }
        }
    }

    /// The content of a segment whose marker has been read.
    mutating func segment() throws(MediaFault) -> ArraySlice<UInt8> {
        let length = try read(2).big(0, 2)
        guard length >= 2 else { throw .damaged("a segment of the JPEG file has no valid length") }
        return try read(length - 2)
    }
}
