/// A page of an Ogg file (RFC 3533, 6).
struct OggPage {
    static let mark = Array("OggS".utf8)
    /// The length of the header without the lengths of the segments, in bytes.
    static let headerLength = 27
    /// The length in bytes of a segment after which the packet continues.
    static let fullSegment = 255

    /// The header and the content. Their length is that of a page, which starts at index 0.
    var bytes: [UInt8]

    var isContinued: Bool { bytes[5] & 1 != 0 }
    var isFirst: Bool { bytes[5] & 2 != 0 }
    var isLast: Bool { bytes[5] & 4 != 0 }
    var serial: Int { bytes.little(14, 4) }
    private var segmentCount: Int { Int(bytes[26]) }

    /// The number of samples up to the end of this page; 0 if it is unknown.
    var granule: Int64 { max(0, Int64(bitPattern: bytes.part(6, 8).littleEndian)) }

    var content: ArraySlice<UInt8> { bytes.dropFirst(Self.headerLength + segmentCount) }

    /// The positions of the segments.
    var segments: [Range<Int>] {
        var end = Self.headerLength + segmentCount
        return bytes.part(Self.headerLength, segmentCount).map { length in
            defer { end += Int(length) }
            return end..<(end + Int(length))
        }
    }

    /// The length in bytes of the page that has the given header.
    /// - Parameter header: All of it, with the lengths of the segments.
    static func length(_ header: ArraySlice<UInt8>) -> Int {
        header.count + header.dropFirst(headerLength).reduce(0) { $0 + Int($1) }
    }

    /// The stated checksum.
    var statedChecksum: UInt32 { UInt32(truncatingIfNeeded: bytes.part(22, 4).littleEndian) }

    /// The checksum of the content (RFC 3533, 6, field 7): that of Ethernet, but not reflected.
    var checksum: UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            var sum: UInt32 = 0
            for index in bytes.indices {
                let byte = (22..<26).contains(index) ? 0 : bytes[index]
                sum = sum << 8 ^ Self.table[Int(sum >> 24) ^ Int(byte)]
            }
            return sum
        }
    }

    mutating func updateChecksum() { bytes.replaceSubrange(22..<26, with: checksum.littleEndianBytes) }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum << 1 ^ (sum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
    }
}
