/// The identifier and the size of an element (RFC 8794, 5 and 6).
struct EBMLHead {
    static let signature: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    /// The largest number of bytes that identifier and size take.
    static let maximumLength = 12

    let id: UInt32
    /// The number of bytes of the content; `nil` if it is unknown.
    let size: Int64?
    /// The number of bytes of identifier and size.
    let length: Int

    /// - Returns: `nil` if the bytes are invalid or too few.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let second = bytes.dropFirst(idLength).first, second > 0 else { return nil }
        let sizeLength = second.leadingZeroBitCount + 1
        guard bytes.count >= idLength + sizeLength else { return nil }
        id = UInt32(truncatingIfNeeded: bytes.prefix(idLength).bigEndian)
        let mask = UInt64(1) << (7 * UInt64(sizeLength)) - 1
        let value = bytes.part(idLength, sizeLength).bigEndian & mask
        // At most 56 bits.
        size = value == mask ? nil : Int64(value)
        length = idLength + sizeLength
    }

    /// The document type near the beginning of a file: `webm` or `matroska`.
    static func documentType(in head: [UInt8]) -> String? {
        let start = head.prefix(64)
        let mark = start.indices.first { start.dropFirst($0).starts(with: [0x42, 0x82]) }
        guard let mark, let head = EBMLHead(start.dropFirst(mark)), let size = head.size, size < 16 else { return nil }
        return start.text(mark + head.length, Int(size))
    }

    /// An element that has no meaning (11.3.1), in place of one with `total` bytes, of which there are at least two.
    static func void(_ total: Int64) -> (head: [UInt8], zeros: Int64) {
        guard total >= 9 else { return ([0xEC, 0x80 | UInt8(truncatingIfNeeded: total - 2)], total - 2) }
        let size = (0..<7).reversed().map { UInt8(truncatingIfNeeded: (total - 9) >> (8 * Int64($0))) }
        return ([0xEC, 0x01] + size, total - 9)
    }
}
