extension BidirectionalCollection<UInt8> {
    /// The value of at most eight bytes, the most significant one first.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }

    /// The value of at most eight bytes, the least significant one first.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    /// A part of the bytes; shorter if there are not enough.
    func part(_ offset: Int, _ count: Int) -> Self.SubSequence { dropFirst(offset).prefix(count) }

    /// The value of at most four bytes, the most significant one first.
    func big(_ offset: Int, _ count: Int) -> Int { Int(part(offset, Swift.min(count, 4)).bigEndian) }

    /// The value of at most four bytes, the least significant one first.
    func little(_ offset: Int, _ count: Int) -> Int { Int(part(offset, Swift.min(count, 4)).reversed().bigEndian) }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
    var littleEndianBytes: [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
