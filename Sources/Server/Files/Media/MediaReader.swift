import Foundation

/// Reads a file through a buffer. A copy reads on independently, which allows looking ahead.
struct MediaReader<Source: ByteSource> {
    /// The number of bytes that ``peek(_:)`` and ``read(_:)`` can return.
    static var capacity: Int { MediaBounds.memory }

    private(set) var source: Source
    private var buffer: ArraySlice<UInt8> = []

    init(_ source: Source) { self.source = source }

    var remaining: Int64 { Int64(buffer.count) + source.remaining }

    /// The next `count` bytes, without consuming them.
    mutating func peek(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        try window(atLeast: count).prefix(count)
    }

    mutating func read(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let bytes = try peek(count)
        buffer = buffer.dropFirst(count)
        return bytes
    }

    mutating func byte() throws(MediaError) -> UInt8 {
        guard let byte = try window(atLeast: 1).first else { throw .incomplete }
        buffer = buffer.dropFirst()
        return byte
    }

    /// Some of the next bytes, as many as are in memory, without consuming them.
    mutating func window(atLeast count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        if buffer.count < count { try fill(count) }
        return buffer
    }

    mutating func skip(_ count: Int64) throws(MediaError) {
        guard count >= 0, count <= remaining else { throw .incomplete }
        let buffered = Int(min(count, Int64(buffer.count)))
        buffer = buffer.dropFirst(buffered)
        try source.skip(count - Int64(buffered))
    }

    private mutating func fill(_ count: Int) throws(MediaError) {
        guard count <= Self.capacity, Int64(count) <= remaining else { throw .incomplete }
        let more = try source.read(Int(min(Int64(Self.capacity), source.remaining)))
        buffer = buffer.isEmpty ? more[...] : (Array(buffer) + more)[...]
    }
}

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
