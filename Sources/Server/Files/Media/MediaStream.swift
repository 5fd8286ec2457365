import Foundation

/// A file that is being copied.
struct MediaStream<Source: ByteSource, Sink: ByteSink> {
    var reader: MediaReader<Source>
    private(set) var sink: Sink

    init(_ reader: MediaReader<Source>, _ sink: Sink) {
        self.reader = reader
        self.sink = sink
    }

    var remaining: Int64 { reader.remaining }

    mutating func peek(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> { try reader.peek(count) }

    mutating func read(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> { try reader.read(count) }

    mutating func byte() throws(MediaError) -> UInt8 { try reader.byte() }

    mutating func skip(_ count: some BinaryInteger) throws(MediaError) { try reader.skip(Int64(count)) }

    mutating func write(_ bytes: some Sequence<UInt8>) throws(MediaError) { try sink.write(Array(bytes)[...]) }

    /// Reads bytes, writes them, and returns them.
    @discardableResult
    mutating func pass(_ count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let bytes = try read(count)
        try sink.write(bytes)
        return bytes
    }

    /// Copies bytes.
    mutating func copy(_ count: some BinaryInteger) throws(MediaError) {
        var rest = Int64(count)
        while rest > 0 { rest -= Int64(try copySome(rest).count) }
    }

    /// Copies at least one byte, and returns what it has copied.
    /// - Parameter limit: The maximum number of bytes.
    mutating func copySome(_ limit: Int64) throws(MediaError) -> ArraySlice<UInt8> {
        let count = try reader.window(atLeast: 1).count
        return try pass(Int(min(limit, Int64(count))))
    }

    mutating func writeZeros(_ count: some BinaryInteger) throws(MediaError) {
        var rest = Int64(count)
        let zeros = [UInt8](repeating: 0, count: Int(max(0, min(rest, Int64(MediaFormatLimits.memory)))))
        while rest > 0 {
            try sink.write(zeros.prefix(Int(min(rest, Int64(zeros.count)))))
            rest -= Int64(zeros.count)
        }
    }

    /// Replaces bytes with zeros.
    mutating func blank(_ count: some BinaryInteger) throws(MediaError) {
        try skip(count)
        try writeZeros(count)
    }
}

/// A file that is read from its beginning to its end. It is a value: a copy reads on independently.
package protocol ByteSource {
    /// The number of bytes that have not been read yet.
    var remaining: Int64 { get }
    /// Reads exactly `count` bytes.
    /// - Throws: ``MediaError/incomplete`` if fewer remain.
    mutating func read(_ count: Int) throws(MediaError) -> [UInt8]
    /// Moves on without reading.
    /// - Throws: ``MediaError/incomplete`` if fewer than `count` bytes remain.
    mutating func skip(_ count: Int64) throws(MediaError)
}

/// A regular file, read with `pread`, so that copies of this value do not disturb each other.
package struct FileSource: ByteSource {
    private let descriptor: Int32
    private let size: Int64
    private var offset: Int64 = 0

    /// - Parameter descriptor: An open file, which the caller closes.
    /// - Throws: ``MediaError`` `.failed` if it is not a regular file.
    package init(descriptor: Int32) throws(MediaError) {
        // Not `fstat`, which the C library implements with a call that takes a path and is forbidden in the process
        // that decodes. A folder is not a file, but reading it fails.
        let end = lseek(descriptor, 0, Int32(SEEK_END))
        guard end >= 0 else { throw .failed("lseek", errno) }
        self.descriptor = descriptor
        size = Int64(end)
    }

    package var remaining: Int64 { size - offset }

    package mutating func read(_ count: Int) throws(MediaError) -> [UInt8] {
        guard count >= 0, Int64(count) <= remaining else { throw .incomplete }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return pread(descriptor, rest.baseAddress, rest.count, off_t(offset))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .failed("read", errno) }
            // The file has been truncated meanwhile.
            guard result > 0 else { throw .incomplete }
            filled += result
            offset += Int64(result)
        }
        return bytes
    }

    package mutating func skip(_ count: Int64) throws(MediaError) {
        guard count >= 0, count <= remaining else { throw .incomplete }
        offset += count
    }
}

/// Receives the bytes of a copy in order.
package protocol ByteSink {
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError)
    /// Must be called after the last byte. It does not sync.
    mutating func finish() throws(MediaError)
}

/// Collects the bytes in memory.
package struct MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) { self.bytes += bytes }

    package mutating func finish() throws(MediaError) {}
}

/// Counts the bytes.
struct CountingSink: ByteSink {
    private(set) var count: Int64 = 0

    mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) { count += Int64(bytes.count) }

    mutating func finish() throws(MediaError) {}
}

/// Appends to a file, in pieces of at least ``capacity`` bytes.
package struct FileSink: ByteSink {
    private static let capacity = 64 * 1024

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter descriptor: An open file, which the caller closes.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(2 * Self.capacity)
    }

    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(MediaError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try finish() }
    }

    package mutating func finish() throws(MediaError) {
        var written = 0
        while written < buffer.count {
            let result = buffer[written...].withUnsafeBytes { rest in
                Foundation.write(descriptor, rest.baseAddress, rest.count)
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw .failed("write", errno) }
            written += result
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads a file through a buffer. A copy reads on independently, which allows looking ahead.
struct MediaReader<Source: ByteSource> {
    /// The number of bytes that ``peek(_:)`` and ``read(_:)`` can return.
    static var capacity: Int { MediaFormatLimits.memory }

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
